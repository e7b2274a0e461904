package dev.imker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Looks at the system calls of a process that commits: whatever would be gone after a loss of power
 * was not acknowledged. Needs strace.
 */
class SyncOrderTest {
  private static final int COMMITS = 20;
  private static final Pattern CALL =
      Pattern.compile("(pwrite64|write|fdatasync|fsync)\\((\\d+)<([^>]*)>(?:, \"(\\d+)\\.)?.*");

  @TempDir Path folder;
  @TempDir Path traces;

  @Test
  void nothing_is_acknowledged_before_it_is_synchronised() throws Exception {
    assumeTrue(isTraceable(), "strace cannot be used here");
    Path trace = traces.resolve("trace");
    List<String> tracing =
        List.of(
            "strace",
            "-f",
            "-y",
            "-o",
            trace.toString(),
            "-e",
            "trace=pwrite64,write,fdatasync,fsync");
    try (CommittingProcess process = CommittingProcess.start(tracing, folder, 1)) {
      process.awaitAcknowledged(COMMITS);
    }
    assertThat(acknowledgedAfterSync(Files.readAllLines(trace))).isGreaterThanOrEqualTo(COMMITS);
  }

  /** Follows the calls in their order; returns how many commits were acknowledged. */
  private static int acknowledgedAfterSync(List<String> trace) {
    Set<String> unsynced = new HashSet<>();
    int acknowledged = 0;
    int syncs = 0;
    for (String line : trace) {
      // A call that another thread interrupts is told twice; its begin is what counts.
      Matcher call = CALL.matcher(line.replaceFirst("^\\d+ +", ""));
      if (!call.matches()) {
        continue;
      }
      String file = call.group(3);
      boolean ofLog = file.endsWith("-wal");
      switch (call.group(1)) {
        case "pwrite64" -> {
          if (ofLog) {
            unsynced.add(file);
          }
        }
        case "fdatasync", "fsync" -> {
          unsynced.remove(file);
          syncs += ofLog ? 1 : 0;
        }
        default -> {
          if (call.group(2).equals("1") && call.group(4) != null) {
            acknowledged++;
            assertThat(unsynced).as("written and not synchronised at " + line).isEmpty();
            assertThat(syncs)
                .as("waits for the disk until " + line)
                .isGreaterThanOrEqualTo(acknowledged);
          }
        }
      }
    }
    return acknowledged;
  }

  private static boolean isTraceable() throws InterruptedException {
    try {
      return new ProcessBuilder("strace", "-o", "/dev/null", "true").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
