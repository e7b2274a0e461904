package dev.imker.chaos.load;

import dev.imker.chaos.cluster.ChaosException;
import dev.imker.chaos.cluster.JavaCommand;
import dev.imker.chaos.cluster.Pause;
import dev.imker.client.context.PoolContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A program in a process of its own that runs planned jobs, one at a time. */
public final class PlannedClient implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 600;
  private static final long LOOK_MILLIS = 20;

  private final Path told;
  private final Process process;
  private int jobs;

  public PlannedClient(PoolContext context, Path folder) throws IOException {
    told = folder.resolve("logs/planned-load.out");
    process =
        ClientEnvironment.of(
                context, new ProcessBuilder(JavaCommand.own(PlannedLoad.class, List.of())))
            .redirectOutput(told.toFile())
            .redirectError(folder.resolve("logs/planned-load.err").toFile())
            .start();
  }

  /** Begins a job. */
  public void begin(FailingJob kind, int number, Path log) throws IOException {
    String order = "%s %d %s%n".formatted(kind, number, log);
    process.getOutputStream().write(order.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
    jobs++;
  }

  /** Waits until something is so, or the job has come to its end; returns whether it is so. */
  public boolean awaitUnlessEnded(BooleanSupplier something) {
    await(() -> something.getAsBoolean() || lines().size() == jobs);
    return lines().size() < jobs && something.getAsBoolean();
  }

  /** Waits for the end of the job; what the program was told. */
  public String end() {
    await(() -> lines().size() == jobs);
    return lines().getLast();
  }

  private void await(BooleanSupplier something) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!something.getAsBoolean()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        throw new ChaosException(
            "job %d does not come to its end; see planned-load.err".formatted(jobs));
      }
      Pause.millis(LOOK_MILLIS);
    }
  }

  /** Only whole lines. */
  private List<String> lines() {
    try {
      String text = Files.readString(told);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
