package dev.imker.chaos.load;

import dev.imker.chaos.cluster.ChaosException;
import dev.imker.chaos.cluster.JavaCommand;
import dev.imker.client.context.PoolContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process that makes Java calls in the pool until it is told to stop. */
final class JavaClient implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 600;

  private final Path returned;
  private final Path stop;
  private final Process process;

  JavaClient(PoolContext context, Path folder, Path log) throws IOException {
    returned = folder.resolve("java.returned");
    stop = folder.resolve("java.stop");
    process =
        ClientEnvironment.of(
                context,
                new ProcessBuilder(
                    JavaCommand.own(
                        JavaLoad.class,
                        List.of(log.toString(), returned.toString(), stop.toString()))))
            .redirectOutput(folder.resolve("logs/java-load.out").toFile())
            .redirectError(folder.resolve("logs/java-load.err").toFile())
            .start();
  }

  /** No further calls. */
  void finish() throws IOException {
    Files.writeString(stop, "");
  }

  /** What calls returned, by their number; every one must have come back. */
  Map<Integer, String> returned() {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new ChaosException("calls from Java did not come back; see java-load.err");
      }
      if (process.exitValue() != 0) {
        throw new ChaosException("a call from Java failed; see java-load.err");
      }
      Map<Integer, String> words = new HashMap<>();
      if (Files.exists(returned)) {
        for (String line : Files.readAllLines(returned)) {
          int blank = line.indexOf(' ');
          words.put(Integer.valueOf(line.substring(0, blank)), line.substring(blank + 1));
        }
      }
      return words;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChaosException("interrupted", e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
