package dev.imker.client.internal.shipping;

import dev.imker.client.internal.shipping.CodeSources.Place;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.tasks.values.Shared;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
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
  private final Map<Place, byte[]> packed = new HashMap<>();
  private final Map<BlobId, byte[]> shared = new LinkedHashMap<>();
  private int looseBefore;
  private Library library = new Library(Map.of());
  private volatile boolean stale;

  /** A library of these jars from the start. */
  public Shipping(List<Path> jars) {
    for (Path jar : jars) {
      sources.places().add(new Place(jar.toAbsolutePath(), ""));
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

  /** The same for the classes that a record has as components. */
  public void requireNamedBy(Record record) {
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      if (component.getType() == Class.class) {
        try {
          Method accessor = component.getAccessor();
          accessor.setAccessible(true);
          require((Class<?>) accessor.invoke(record));
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
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
    for (Place place : sources.places()) {
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
    shared.values().forEach(jar -> jars.put(hash(jar), jar));
    return new Library(jars);
  }

  /** Has a value in the library; returns the hash by which it is found there. */
  public synchronized BlobId share(byte[] value) {
    BlobId hash = hash(value);
    if (!shared.containsKey(hash)) {
      shared.put(hash, jar(Map.of(Shared.FOLDER + hash.sha256(), value)));
      stale = true;
    }
    return hash;
  }

  private static byte[] read(Place place) {
    try {
      if (!place.inner().isEmpty()) {
        return inside(place);
      }
      return Files.isDirectory(place.file())
          ? folder(place.file())
          : Files.readAllBytes(place.file());
    } catch (IOException e) {
      throw new ImkerException("Cannot read " + place.file() + ": " + e.getMessage(), e);
    }
  }

  /** A jar inside a jar, or a folder inside one as a jar. */
  private static byte[] inside(Place place) throws IOException {
    try (JarFile jar = new JarFile(place.file().toFile())) {
      JarEntry entry = jar.getJarEntry(place.inner());
      if (entry != null && !entry.isDirectory()) {
        return jar.getInputStream(entry).readAllBytes();
      }
      String folder = place.inner().endsWith("/") ? place.inner() : place.inner() + "/";
      Map<String, byte[]> files = new TreeMap<>();
      for (JarEntry file : Collections.list(jar.entries())) {
        if (file.getName().startsWith(folder) && !file.isDirectory()) {
          byte[] content = jar.getInputStream(file).readAllBytes();
          files.put(file.getName().substring(folder.length()), content);
        }
      }
      return jar(files);
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
              folder + " is too large to be sent; list the jars that tasks need instead.");
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
