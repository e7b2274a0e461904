package dev.imker.bench.planner;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A planner in a process of its own. One that does not keep to its time is ended, and the next
 * instance gets a new process, warmed up by the same instance as the first was.
 */
public final class PlannerProcess implements AutoCloseable {
  private static final int WARM_UPS = 3;
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final String planner;
  private final Duration timeout;
  private final Path warmUpDomain;
  private final Path warmUpProblem;
  private @Nullable Process process;
  private @Nullable BufferedReader answers;

  /**
   * @param planner {@code imker} or {@code pddl4j}
   * @param timeout for an instance
   */
  public PlannerProcess(String planner, Duration timeout, Path warmUpDomain, Path warmUpProblem) {
    this.planner = planner;
    this.timeout = timeout;
    this.warmUpDomain = warmUpDomain;
    this.warmUpProblem = warmUpProblem;
  }

  public PlannerRun solve(Path domain, Path problem) throws IOException, InterruptedException {
    if (process == null) {
      start();
      for (int i = 0; i < WARM_UPS; i++) {
        ask(warmUpDomain, warmUpProblem);
      }
    }
    return ask(domain, problem);
  }

  private void start() throws IOException {
    Process started =
        new ProcessBuilder(
                List.of(
                    ProcessHandle.current().info().command().orElse("java"),
                    "-Xmx4g",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-cp",
                    System.getProperty("java.class.path"),
                    PlannerWorker.class.getName(),
                    planner,
                    Long.toString(timeout.toSeconds())))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    process = started;
    answers =
        new BufferedReader(new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
  }

  private PlannerRun ask(Path domain, Path problem) throws IOException, InterruptedException {
    Process running = process;
    BufferedReader from = answers;
    if (running == null || from == null) {
      return new PlannerRun("ended", 0);
    }
    long start = System.nanoTime();
    Writer questions = running.outputWriter(StandardCharsets.UTF_8);
    questions.write(domain + "\n" + problem + "\n");
    questions.flush();
    CompletableFuture<@Nullable String> line = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> read(from, line));
    try {
      String answer = line.get(timeout.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
      if (answer != null) {
        String[] words = answer.split(" ", 2);
        return new PlannerRun(words[1], Double.parseDouble(words[0]));
      }
    } catch (TimeoutException e) {
      close();
      return new PlannerRun(PlannerRun.TIMEOUT, (System.nanoTime() - start) / 1e6);
    } catch (ExecutionException e) {
      throw new IOException("a planner cannot be heard", e);
    }
    close();
    return new PlannerRun("crashes", (System.nanoTime() - start) / 1e6);
  }

  private static void read(BufferedReader from, CompletableFuture<@Nullable String> line) {
    try {
      line.complete(from.readLine());
    } catch (IOException e) {
      line.completeExceptionally(new UncheckedIOException(e));
    }
  }

  /** The most memory that the process ever had, as far as Linux tells. */
  public long peakMegabytes() throws IOException {
    Process running = process;
    Path status = Path.of("/proc/" + (running == null ? "self" : running.pid()) + "/status");
    for (String line : Files.exists(status) ? Files.readAllLines(status) : List.<String>of()) {
      if (line.startsWith("VmHWM:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
      }
    }
    return 0;
  }

  @Override
  public void close() {
    if (process != null) {
      var _ = process.destroyForcibly().onExit().join();
      process = null;
    }
  }
}
