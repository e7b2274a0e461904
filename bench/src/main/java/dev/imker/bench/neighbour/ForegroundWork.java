package dev.imker.bench.neighbour;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A program as an owner would run it, at the usual priority: for every line it reads, a fixed
 * amount of work on every core; it answers with the milliseconds that took.
 */
public final class ForegroundWork {
  private static final int UNITS = 1_000;
  private static final int STEPS_PER_UNIT = 1_000_000;

  private ForegroundWork() {}

  public static void main(String[] args) throws Exception {
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    onAllCores(UNITS / 4); // compiled before it counts
    System.out.println("ready");
    while (orders.readLine() != null) {
      long start = System.nanoTime();
      onAllCores(UNITS);
      System.out.println((System.nanoTime() - start) / 1e6);
    }
  }

  private static void onAllCores(int units) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
      threads.add(Thread.ofPlatform().start(() -> work(units)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void work(int units) {
    long state = 1;
    for (int unit = 0; unit < units; unit++) {
      for (int i = 0; i < STEPS_PER_UNIT; i++) {
        // Marsaglia's xorshift: each step needs the one before, no compiler can fold them.
        state ^= state << 13;
        state ^= state >>> 7;
        state ^= state << 17;
      }
    }
    if (state == 0) {
      throw new IllegalStateException("cannot be, but keeps the loop from being removed");
    }
  }

  /** The program as a process, from the caller's side. */
  public static final class Runner implements AutoCloseable {
    private final Process process;
    private final BufferedReader answers;

    /** Starts it in a session of its own, as a terminal window would. */
    public Runner(String classPath) throws IOException {
      process =
          new ProcessBuilder(
                  "setsid",
                  ProcessHandle.current().info().command().orElse("java"),
                  "-XX:+UseSerialGC",
                  "-cp",
                  classPath,
                  ForegroundWork.class.getName())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      answers =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      answers.readLine();
    }

    /** Milliseconds for one round. */
    public double round() throws IOException {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
      String answer = answers.readLine();
      if (answer == null) {
        throw new IOException("the foreground program ended");
      }
      return Double.parseDouble(answer);
    }

    @Override
    public void close() {
      process.destroy();
    }
  }
}
