package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Libraries are the very files that were looked at, and none with a hole that is known. */
final class DependencyLockTest {
  /** What runs tests is a matter of who runs them. */
  private static final Pattern RUNNERS =
      Pattern.compile("(surefire|junit-platform|open-test-reporting|idea_rt).*");

  private static final Path ROOT = Path.of(System.getProperty("imker.root", ".."));

  /** A library as a path in a repository names it. */
  private record Library(String name, String version) {
    static Library of(String path) {
      String[] parts = path.split("/", -1);
      int n = parts.length;
      String group = String.join(".", Arrays.copyOf(parts, n - 3));
      return new Library(group + ":" + parts[n - 3], parts[n - 2]);
    }
  }

  private static List<String> lines(String file) throws IOException {
    return Files.readAllLines(ROOT.resolve(file)).stream()
        .filter(line -> !line.startsWith("#") && !line.isBlank())
        .toList();
  }

  /** By the path in a repository. */
  private static Map<String, String> locked() throws IOException {
    Map<String, String> locked = new TreeMap<>();
    for (String line : lines("dependencies.sha256")) {
      String[] words = line.split(" {2}", 2);
      locked.put(words[1], words[0]);
    }
    return locked;
  }

  private static String sha256(Path file) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(java.io.OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  @Test
  void every_library_here_is_the_one_that_was_looked_at() throws Exception {
    Map<String, String> locked = locked();
    List<String> wrong = new ArrayList<>();
    int seen = 0;
    for (String place : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path jar = Path.of(place);
      if (!place.endsWith(".jar")
          || RUNNERS.matcher(jar.getFileName().toString()).matches()
          || jar.getNameCount() < 4
          || place.contains("/target/")) {
        continue;
      }
      String end = "/" + jar.subpath(jar.getNameCount() - 3, jar.getNameCount());
      List<String> paths =
          locked.keySet().stream().filter(path -> ("/" + path).endsWith(end)).toList();
      String sum = sha256(jar);
      seen++;
      if (paths.stream().noneMatch(path -> sum.equals(locked.get(path)))) {
        wrong.add(sum + "  …" + end);
      }
    }
    assertThat(seen).isPositive();
    assertThat(wrong)
        .as("not in dependencies.sha256; look at what changed, then write these lines there")
        .isEmpty();
  }

  @Test
  void no_library_has_a_hole_that_is_known() throws IOException {
    List<Library> used = locked().keySet().stream().map(Library::of).distinct().toList();
    List<String> known = lines("known-vulnerable.txt");
    List<Library> allowed =
        known.stream()
            .filter(line -> line.startsWith("allowed "))
            .map(line -> line.split(" ", 4))
            .map(words -> new Library(words[1], words[2]))
            .toList();
    List<String> holes = new ArrayList<>();
    for (String line : known) {
      String[] words = line.split(" ", 3);
      for (Library library : used) {
        if (library.name.equals(words[0])
            && BY_VERSION.compare(library.version, words[1]) < 0
            && !allowed.contains(library)) {
          holes.add(library + " has " + words[2] + ", cured in " + words[1]);
        }
      }
    }
    assertThat(holes).isEmpty();
  }

  private static final Comparator<String> BY_VERSION =
      (one, other) -> Arrays.compare(numbers(one), numbers(other));

  private static int[] numbers(String version) {
    return Arrays.stream(version.split("[^0-9]+", -1))
        .filter(part -> !part.isEmpty())
        .mapToInt(Integer::parseInt)
        .toArray();
  }

  @Test
  void versions_are_compared_by_their_numbers() {
    assertThat(BY_VERSION.compare("4.2.18.Final", "4.2.8")).isPositive();
    assertThat(BY_VERSION.compare("32.0.0-jre", "32.0.0")).isZero();
    assertThat(BY_VERSION.compare("2.9", "2.10.1")).isNegative();
  }
}
