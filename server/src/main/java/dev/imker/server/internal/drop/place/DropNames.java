package dev.imker.server.internal.drop.place;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** Names of files in drop folders. */
public final class DropNames {
  private static final Set<String> JOB_FILES = Set.of("yaml", "yml", "tsv");

  private static final int MAX_NAME_BYTES = 230;

  private DropNames() {}

  /** Whether a file is meant to become a job; others are data, or still on their way. */
  public static boolean isJobFile(String name) {
    int dot = name.lastIndexOf('.');
    return dot > 0
        && !name.startsWith(".")
        && JOB_FILES.contains(name.substring(dot + 1).toLowerCase(Locale.ROOT));
  }

  /**
   * Why a file cannot be a job file, whatever is in it; empty if it can.
   *
   * @param bytes how large it is
   */
  public static String whyUnusable(String name, long bytes) {
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (length > MAX_NAME_BYTES) {
      return "The name of this file has %d bytes, and the files written next to it have even longer names. Use at most %d."
          .formatted(length, MAX_NAME_BYTES);
    }
    return bytes > DropPlace.MAX_JOB_FILE_BYTES
        ? "This file is too large for a job file: more than %d MB."
            .formatted(DropPlace.MAX_JOB_FILE_BYTES >> 20)
        : "";
  }

  /** Without what tells that it is a job file. */
  public static String withoutExtension(String path) {
    return isJobFile(name(path)) ? path.replaceFirst("\\.[^./]+$", "") : path;
  }

  /** How results of a file may be named: without extension, with it, then with a number too. */
  public static String resultName(String path, int i) {
    String name = name(path);
    return switch (i) {
      case 0 -> withoutExtension(name);
      case 1 -> name;
      default -> name + "-" + i;
    };
  }

  /** Another name for a file of the same kind: {@code a-2.yaml}. */
  public static String numbered(String path, int number) {
    String start = withoutExtension(path);
    return start + "-" + number + path.substring(start.length());
  }

  /** The project that a file is of: the folder it is in; empty if it is in none. */
  public static String project(String path) {
    int slash = path.indexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  public static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
