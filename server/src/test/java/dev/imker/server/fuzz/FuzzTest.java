package dev.imker.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.server.fuzz.FuzzTargets.Target;
import dev.imker.testbase.Attack;
import dev.imker.testbase.Generator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The short way of fuzzing: what is kept of earlier runs, and mutations of it. {@code ./imker fuzz
 * --minutes N} is the long way, guided by what of the code an input reaches.
 */
final class FuzzTest {
  private static final Path CORPUS = Path.of("src/test/resources/fuzz");
  private static final int MUTATIONS = 1_000;
  private static final int MAX_BYTES = 4_096;

  /** Inputs of one target, the texts that people wrote first. */
  private static List<byte[]> corpus(Target target) throws IOException {
    List<byte[]> inputs = new ArrayList<>();
    Path folder = CORPUS.resolve(target.name().toLowerCase(Locale.ROOT));
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path file : files.sorted().toList()) {
          inputs.add(Files.readAllBytes(file));
        }
      }
    }
    return inputs;
  }

  private static void read(Target target, byte[] input, String origin) {
    try {
      FuzzTargets.read(target, input);
    } catch (Exception | AssertionError | StackOverflowError e) {
      String hex = HexFormat.of().formatHex(input, 0, Math.min(input.length, 600));
      throw new AssertionError(target + " stumbles over " + hex + " (" + origin + ")", e);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Attack(value = "send the findings of fuzzing to every parser", cases = 18)
  void what_is_kept_is_understood_or_refused(Target target) throws IOException {
    List<byte[]> inputs = corpus(target);
    assertThat(inputs).as("examples for " + target).isNotEmpty();
    inputs.forEach(input -> read(target, input, "corpus"));
  }

  @ParameterizedTest
  @EnumSource
  @Attack(value = "send mutated inputs to every parser", cases = 18)
  void mutations_are_understood_or_refused(Target target) throws IOException {
    long seed = Long.getLong("imker.seed", new Random().nextLong());
    Generator random = new Generator(seed);
    List<byte[]> inputs = corpus(target);
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] input = mutated(random.oneOf(inputs), random, inputs);
      read(target, input, "seed " + seed);
    }
  }

  private static byte[] mutated(byte[] from, Generator random, List<byte[]> others) {
    byte[] input = from.clone();
    for (int n = random.between(1, 4); n > 0; n--) {
      input = mutatedOnce(input, random, others);
    }
    return input;
  }

  private static byte[] mutatedOnce(byte[] input, Generator random, List<byte[]> others) {
    int at = random.between(0, input.length);
    int end = random.between(at, Math.min(input.length, at + 40));
    byte[] other = random.oneOf(others);
    int from = random.between(0, other.length);
    int to = random.between(from, Math.min(other.length, from + 200));
    byte[] inserted =
        switch (random.between(0, 4)) {
          case 0 -> new byte[0];
          case 1 -> new byte[] {(byte) random.anyLong()};
          case 2 -> Long.toString(random.anyLong()).getBytes(StandardCharsets.UTF_8);
          case 3 -> Arrays.copyOfRange(input, at, end);
          default -> Arrays.copyOfRange(other, from, to);
        };
    byte[] result = Arrays.copyOf(input, at + inserted.length + input.length - end);
    System.arraycopy(inserted, 0, result, at, inserted.length);
    System.arraycopy(input, end, result, at + inserted.length, input.length - end);
    return result.length > MAX_BYTES ? Arrays.copyOf(result, MAX_BYTES) : result;
  }

  @ParameterizedTest
  @EnumSource
  @EnabledIfSystemProperty(named = "imker.fuzz.minutes", matches = "\\d+")
  void jazzer_finds_nothing(Target target, @TempDir Path scratch) throws Exception {
    Path seeds = Files.createDirectory(scratch.resolve("seeds"));
    List<byte[]> inputs = corpus(target);
    for (int i = 0; i < inputs.size(); i++) {
      Files.write(seeds.resolve(Integer.toString(i)), inputs.get(i));
    }
    long seconds =
        TimeUnit.MINUTES.toSeconds(Long.getLong("imker.fuzz.minutes", 1)) / Target.values().length;
    Process jazzer =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:MaxJavaStackTraceDepth=40",
                "-Xmx1g",
                "-D" + FuzzTargets.TARGET + "=" + target,
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + FuzzTargets.class.getName(),
                "--instrumentation_includes=dev.imker.**",
                "--reproducer_path=" + scratch,
                seeds.toString(),
                "-artifact_prefix=" + scratch + "/",
                "-max_len=" + MAX_BYTES,
                "-print_final_stats=1",
                "-max_total_time=" + Math.max(1, seconds))
            .inheritIO()
            .start();
    assertThat(jazzer.waitFor()).as("exit code of Jazzer; what it found is above").isZero();
  }
}
