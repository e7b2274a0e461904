package dev.imker.jobfile.internal.form;

import dev.imker.model.InputException;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The compact notation for what a machine must have: {@code software.memoryMB.uploadMB.cpuArch}, as
 * in {@code WN;LMP.1024.*.*}.
 *
 * <p>Software is a sequence of letters, all of which are required: W Windows, L Linux, N .NET, M
 * Mono, J Java, P Perl, Y Python, R R, G GAMS. A semicolon separates alternatives, {@code *} means
 * anything. Omitted parts at the end count as {@code *}. The upload size is what the machine has to
 * fetch; its connection has to be fast enough for it.
 */
public final class PlatformExpression {
  private static final String ANY = "*";
  private static final Map<Character, String> SYSTEMS = Map.of('W', "windows", 'L', "linux");
  private static final Map<Character, String> RUNTIMES =
      Map.of(
          'N', "dotnet", 'M', "mono", 'J', "java", 'P', "perl", 'Y', "python", 'R', "r", 'G',
          "gams");
  private static final Map<String, String> ARCHITECTURES =
      Map.of("amd64", "x86_64", "x64", "x86_64", "arm64", "aarch64");
  private static final int PARTS = 4;
  private static final long MEGABYTE = 1L << 20;

  private PlatformExpression() {}

  /**
   * @throws InputException that says what is wrong and what the format is
   */
  public static Requirements parse(String text) {
    String[] parts = text.strip().split("\\.", -1);
    if (parts.length > PARTS || parts[0].isEmpty()) {
      throw wrong(text, "it needs four parts separated by dots");
    }
    long memory = megabytes(text, part(parts, 1), "memory");
    long upload = megabytes(text, part(parts, 2), "upload size");
    Set<String> arch = architectures(part(parts, 3));
    List<Need> needs = new ArrayList<>();
    for (String software : parts[0].split(";", -1)) {
      needs.add(need(text, software.strip(), memory, upload, arch));
    }
    boolean anything = memory == 0 && upload == 0 && arch.isEmpty() && parts[0].equals(ANY);
    return anything ? Requirements.ANY : new Requirements(needs);
  }

  /** The operating system for the letter of a file variant ({@code W:foo.exe}). */
  public static String system(char letter) {
    return SYSTEMS.getOrDefault(Character.toUpperCase(letter), "");
  }

  private static String part(String[] parts, int index) {
    return index < parts.length && !parts[index].isBlank() ? parts[index].strip() : ANY;
  }

  private static Need need(
      String text, String software, long memory, long upload, Set<String> arch) {
    Set<String> os = new HashSet<>();
    Map<String, String> runtimes = new HashMap<>();
    if (software.isEmpty()) {
      throw wrong(text, "an alternative is empty");
    }
    if (!software.equals(ANY)) {
      for (char letter : software.toUpperCase(Locale.ROOT).toCharArray()) {
        if (SYSTEMS.containsKey(letter)) {
          os.add(SYSTEMS.get(letter));
        } else if (RUNTIMES.containsKey(letter)) {
          runtimes.put(RUNTIMES.get(letter), "");
        } else {
          throw wrong(text, "'" + letter + "' is none of the letters W L N M J P Y R G");
        }
      }
    }
    if (os.size() > 1) {
      throw wrong(text, "no machine is both Windows and Linux: write W;L for either");
    }
    return new Need(os, arch, 0, 0, memory, 0, Set.of(), runtimes, upload);
  }

  private static long megabytes(String text, String part, String what) {
    if (part.equals(ANY)) {
      return 0;
    }
    if (!part.matches("\\d{1,9}")) {
      throw wrong(text, "the " + what + " '" + part + "' is not a number of megabytes");
    }
    return Long.parseLong(part) * MEGABYTE;
  }

  private static Set<String> architectures(String part) {
    Set<String> all = new HashSet<>();
    if (!part.equals(ANY)) {
      for (String name : part.split(";", -1)) {
        String arch = name.strip().toLowerCase(Locale.ROOT);
        all.add(ARCHITECTURES.getOrDefault(arch, arch));
      }
    }
    return all;
  }

  private static InputException wrong(String text, String why) {
    return new InputException(
        "'"
            + text
            + "' is not a platform expression: "
            + why
            + ". Write software.memoryMB.uploadMB.cpuArch, as in WN;LMP.1024.*.*.");
  }
}
