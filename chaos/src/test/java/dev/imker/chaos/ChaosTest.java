package dev.imker.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * A short run with another seed each time; {@code -Pchaos} makes it a long one, and {@code
 * -Dimker.chaos.seed=N} the same as before. The seed is in its output, and the folder stays if
 * something went wrong.
 */
@EnabledOnOs(OS.LINUX)
class ChaosTest {
  private static final long SEED =
      Long.getLong("imker.chaos.seed", new SecureRandom().nextInt(1_000_000));

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  @Test
  void every_promise_is_kept_while_everything_breaks() throws Exception {
    Main main = new Main();
    new CommandLine(main)
        .parseArgs(System.getProperty("imker.chaos.arguments", "--minutes 0.2").split(" "));
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    ChaosRun.Outcome outcome = new ChaosRun(main.options, SEED, made(folder), out).run();
    assertThat(outcome.violations()).as("seed %d, logs in %s", SEED, folder).isEmpty();
    assertThat(outcome.tasks()).isPositive();
    assertThat(outcome.attempts()).isPositive();
  }

  private static Path made(Path folder) throws IOException {
    return Files.createDirectories(folder.resolve("run"));
  }
}
