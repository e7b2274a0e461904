package dev.imker.model.code;

import dev.imker.model.ImkerException;
import java.net.URI;
import java.net.URL;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * The jar or folder from which a class was loaded. It is determined through the class loader,
 * because the code source of a class from the JVM's class cache has no location after the jar was
 * moved.
 */
public final class CodePlace {
  private static final String IN_JAR = "jar:";

  private CodePlace() {}

  /**
   * @throws ImkerException if it is not a file, such as a jar inside another one
   */
  public static Path of(Class<?> type) {
    String file = type.getName().replace('.', '/') + ".class";
    ClassLoader loader =
        Objects.requireNonNullElseGet(type.getClassLoader(), ClassLoader::getSystemClassLoader);
    URL found = loader.getResource(file);
    if (found == null) {
      throw new ImkerException("It is not known where " + type + " comes from.");
    }
    String place = found.toString();
    try {
      return Path.of(
          URI.create(
              place.startsWith(IN_JAR)
                  ? place.substring(IN_JAR.length(), place.indexOf("!/"))
                  : place.substring(0, place.length() - file.length())));
    } catch (IllegalArgumentException | FileSystemNotFoundException e) {
      throw new ImkerException("The place of " + type + " is not a file: " + place, e);
    }
  }
}
