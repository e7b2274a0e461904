package dev.imker.planner.pddl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads PDDL: {@code :strips :typing :equality :negative-preconditions}. Requirements are not
 * checked against this list, what a text uses is. Action costs are read over, since plans are
 * measured in steps.
 *
 * <p>All methods throw {@link PddlException}, and nothing else, on a text they cannot understand.
 */
public final class Pddl {
  /** Longer texts are refused rather than read until the memory is full. */
  static final int MAX_CHARS = 64 << 20;

  private Pddl() {}

  public static Domain domain(String text) {
    checkLength(text.length());
    return new DomainReader(text).read();
  }

  public static Problem problem(String text, Domain domain) {
    checkLength(text.length());
    return new ProblemReader(text, domain).read();
  }

  public static Domain domain(Path file) throws IOException {
    return domain(readText(file));
  }

  public static Problem problem(Path file, Domain domain) throws IOException {
    return problem(readText(file), domain);
  }

  private static String readText(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_CHARS + 1);
      checkLength(bytes.length);
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private static void checkLength(int length) {
    if (length > MAX_CHARS) {
      throw new PddlException(1, 1, "the text is longer than " + MAX_CHARS + " characters");
    }
  }
}
