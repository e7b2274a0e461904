package dev.imker.client.internal.shipping;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.reflect.AccessFlag;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds what code a class needs, by following the names in class files: the jars and folders that
 * classes come from, and the content of classes that come from neither.
 */
final class CodeSources {
  private static final Pattern NAMES = Pattern.compile("L([\\w$]+(?:/[\\w$]+)*);");
  private static final Pattern INTERNAL = Pattern.compile("\\[*L?([\\w$/]+);?");

  /** A file or, as Spring Boot's loaders of now and before write it, something inside a jar. */
  private static final Pattern PLACE = Pattern.compile("(?:file|nested):(.+?)(?:/!|!/|$)(.+)?");

  /** Packages that every task host has, or that make no sense in one. */
  static final Pattern NOT_SHIPPED =
      Pattern.compile(
          "(java|javax|jdk|sun)/.*|dev/imker/(tasks|server|agent|wire|store|core|cli)/.*");

  /** Of the client only its own classes are sent: a class that uses it must still be loadable. */
  private static final Pattern NOT_FOLLOWED =
      Pattern.compile("dev/imker/(client|model|planner)/.*");

  private final Set<String> seen = new HashSet<>();
  private final Set<Place> places = new LinkedHashSet<>();
  private final Map<String, byte[]> loose = new TreeMap<>();

  /**
   * A jar or folder, or one inside a jar.
   *
   * @param inner empty, or its path in the jar
   */
  record Place(Path file, String inner) {
    /** Whether it has classes as they were compiled, not those that somebody else has packed. */
    private boolean isOwnCode() {
      return inner.isEmpty() ? Files.isDirectory(file) : !inner.endsWith(".jar");
    }
  }

  /** Jars and folders. */
  Set<Place> places() {
    return places;
  }

  /** Class files that come from elsewhere, by their path in a jar. */
  Map<String, byte[]> loose() {
    return loose;
  }

  /**
   * Follows a class and all it names.
   *
   * @throws NotShippableException if something of it cannot be taken along
   */
  void follow(Class<?> root) {
    ClassLoader loader = root.getClassLoader();
    if (loader == null || loader.equals(ClassLoader.getPlatformClassLoader())) {
      return; // every machine has it
    }
    ArrayDeque<String> open = new ArrayDeque<>();
    open.add(root.getName().replace('.', '/'));
    List<String> visited = new ArrayList<>();
    try {
      while (!open.isEmpty()) {
        String name = open.poll();
        if (!NOT_SHIPPED.matcher(name).matches() && seen.add(name)) {
          visited.add(name);
          visit(name, loader, open, name.equals(root.getName().replace('.', '/')));
        }
      }
    } catch (NotShippableException e) {
      visited.forEach(seen::remove); // whoever needs one of them is to hear the same
      throw e;
    }
  }

  private void visit(String name, ClassLoader loader, ArrayDeque<String> open, boolean isRoot) {
    String file = name + ".class";
    URL resource = loader.getResource(file);
    byte[] bytes = resource == null ? null : content(resource);
    if (resource == null || bytes == null) {
      if (isRoot) {
        throw new NotShippableException(
            "The class "
                + name.replace('/', '.')
                + " has no class file that can be sent; put it into a jar or a folder on"
                + " the class path.");
      }
      return; // named, but not there: it was not needed here either
    }
    if (resource.getProtocol().equals("jrt")) {
      return; // of the JDK
    }
    Place place = place(resource, file);
    if (place == null) {
      loose.put(file, bytes);
    } else {
      places.add(place);
    }
    if (NOT_FOLLOWED.matcher(name).matches()) {
      return;
    }
    ClassModel model = ClassFile.of().parse(bytes);
    if (isRoot && isOwnCode(place) && model.methods().stream().anyMatch(CodeSources::isNative)) {
      throw hasNativeMethods(name);
    }
    for (PoolEntry entry : model.constantPool()) {
      collect(entry, open);
    }
  }

  static boolean isNative(MethodModel method) {
    return method.flags().has(AccessFlag.NATIVE);
  }

  static NotShippableException hasNativeMethods(String name) {
    return new NotShippableException(
        "The class "
            + name.replace('/', '.')
            + " has native methods, whose libraries cannot be sent. Install them on the"
            + " machines and put the class into a jar.");
  }

  /** Whether a class comes as it was compiled, and not in a jar that somebody else has packed. */
  static boolean isOwnCode(String name, ClassLoader loader) {
    String file = name + ".class";
    URL resource = loader.getResource(file);
    return resource != null && isOwnCode(place(resource, file));
  }

  private static boolean isOwnCode(@Nullable Place place) {
    return place == null || place.isOwnCode();
  }

  private static void collect(PoolEntry entry, ArrayDeque<String> open) {
    switch (entry) {
      case ClassEntry type -> {
        Matcher matcher = INTERNAL.matcher(type.asInternalName());
        if (matcher.matches()) {
          open.add(matcher.group(1));
        }
      }
      case Utf8Entry text -> {
        String string = text.stringValue();
        if (string.indexOf(';') > 0) {
          Matcher matcher = NAMES.matcher(string);
          while (matcher.find()) {
            open.add(matcher.group(1));
          }
        }
      }
      default -> {}
    }
  }

  private static byte @Nullable [] content(URL resource) {
    try (InputStream in = resource.openStream()) {
      return in.readAllBytes();
    } catch (IOException e) {
      return null;
    }
  }

  /** The jar or folder that a class file is in, or null if it is in neither. */
  private static @Nullable Place place(URL resource, String file) {
    String text = resource.toString();
    String outer = text.startsWith("jar:") ? text.substring("jar:".length()) : text;
    String suffix = text.startsWith("jar:") ? "!/" + file : file;
    if (!outer.endsWith(suffix)) {
      return null;
    }
    Matcher place = PLACE.matcher(outer.substring(0, outer.length() - suffix.length()));
    try {
      return place.matches()
          ? new Place(
              Path.of(URI.create("file:" + place.group(1))),
              place.group(2) == null ? "" : place.group(2))
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
