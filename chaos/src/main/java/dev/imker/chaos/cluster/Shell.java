package dev.imker.chaos.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Small commands of the system. */
final class Shell {
  private static final long PATIENCE_SECONDS = 300;

  private Shell() {}

  /**
   * Runs a command to its end.
   *
   * @throws ChaosException if it fails
   */
  static void run(String... command) {
    String answer = tryRun(command);
    if (!answer.isEmpty()) {
      throw new ChaosException(answer);
    }
  }

  /** Runs a command to its end; what went wrong, or an empty text. */
  static String tryRun(String... command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return String.join(" ", command) + ": takes too long";
      }
      return process.exitValue() == 0 ? "" : String.join(" ", command) + ": " + said;
    } catch (IOException e) {
      return String.join(" ", command) + ": " + e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChaosException("interrupted", e);
    }
  }
}
