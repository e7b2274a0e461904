package dev.imker.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * A short run with a fixed seed, so that it takes the same time whenever it is made; {@code
 * -Pchaos} makes it a long one. The seed is in its output, and the folder stays if something went
 * wrong.
 */
@EnabledOnOs(OS.LINUX)
class ChaosTest {
  private static final long SEED = Long.getLong("imker.chaos.seed", 14_405);

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
    assertThat(outcome.attempts()).isGreaterThanOrEqualTo(outcome.tasks());
  }

  private static Path made(Path folder) throws IOException {
    return Files.createDirectories(folder.resolve("run"));
  }
}
