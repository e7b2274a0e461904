package dev.imker.client.internal.shipping;

import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * The code that a client's tasks need, as jars by the hash of their content. Grows as new classes
 * turn up; a jar of the application is taken as it is, a folder of class files becomes one.
 */
public final class Shipping {
  private static final long MAX_FOLDER_BYTES = 256L << 20;

  /** Jars in the order in which classes are looked for. */
  public record Library(Map<BlobId, byte[]> jars) {
    public List<BlobId> ids() {
      return List.copyOf(jars.keySet());
    }
  }

  private final CodeSources sources = new CodeSources();
  private final Set<Class<?>> known = new HashSet<>();
  private final Map<Path, byte[]> packed = new LinkedHashMap<>();
  private int looseBefore;
  private Library library = new Library(Map.of());
  private volatile boolean stale;

  /** A library of these jars from the start. */
  public Shipping(List<Path> jars) {
    for (Path jar : jars) {
      sources.places().add(jar.toAbsolutePath());
      stale = true;
    }
  }

  /** Sees to it that a class and all it needs are in the library. */
  public synchronized void require(Class<?> type) {
    if (known.add(type)) {
      try {
        sources.follow(type);
      } catch (NotShippableException e) {
        known.remove(type);
        throw e;
      }
      if (sources.places().size() > packed.size() || sources.loose().size() > looseBefore) {
        stale = true;
      }
    }
  }

  public synchronized Library library() {
    if (stale) {
      library = pack();
      stale = false;
    }
    return library;
  }

  private Library pack() {
    Map<BlobId, byte[]> jars = new LinkedHashMap<>();
    for (Path place : sources.places()) {
      byte[] jar = packed.computeIfAbsent(place, Shipping::read);
      if (jar.length > 0) {
        jars.put(hash(jar), jar);
      }
    }
    looseBefore = sources.loose().size();
    if (looseBefore > 0) {
      byte[] jar = jar(sources.loose());
      jars.put(hash(jar), jar);
    }
    return new Library(jars);
  }

  private static byte[] read(Path place) {
    try {
      return Files.isDirectory(place) ? folder(place) : Files.readAllBytes(place);
    } catch (IOException e) {
      throw new ImkerException("Cannot read " + place + ": " + e.getMessage(), e);
    }
  }

  private static byte[] folder(Path folder) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    long bytes = 0;
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : new ArrayList<>(tree.filter(Files::isRegularFile).toList())) {
        byte[] content = Files.readAllBytes(file);
        bytes += content.length;
        if (bytes > MAX_FOLDER_BYTES) {
          throw new ImkerException(
              folder + " is too large to be sent; name the jars that tasks need instead.");
        }
        files.put(folder.relativize(file).toString().replace('\\', '/'), content);
      }
    }
    return jar(files);
  }

  /** The same files make the same bytes. */
  static byte[] jar(Map<String, byte[]> files) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JarOutputStream out = new JarOutputStream(bytes)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        JarEntry entry = new JarEntry(file.getKey());
        entry.setTime(0);
        out.putNextEntry(entry);
        out.write(file.getValue());
        out.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  public static BlobId hash(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return new BlobId(HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
