package dev.imker.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Some crashes of real processes after events of jobs that are rolled back, begin again or are
 * rescued, others each time; {@code ./imker chaos --every-event} lets all of them happen.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(1_200) // a busy machine takes minutes to start all of it
class EventCrashesTest {
  private static final long SEED =
      Long.getLong("imker.chaos.seed", new SecureRandom().nextInt(1_000_000));
  private static final int CRASHES = 3;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  @Test
  void jobs_end_as_always_whatever_goes_down_after_whichever_of_their_events() throws Exception {
    Main main = new Main();
    new CommandLine(main)
        .parseArgs("--every-event", "--crashes", "" + CRASHES, "--servers", "1", "--agents", "1");
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    Path run = Files.createDirectories(folder.resolve("run"));
    ChaosRun.Outcome outcome = new ChaosRun(main.options, SEED, run, out).run();
    assertThat(outcome.violations()).as("seed %d, logs in %s", SEED, folder).isEmpty();
    assertThat(outcome.tasks()).isEqualTo(3 + CRASHES);
  }
}
