package dev.imker.bench.agents;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.imker.bench.pool.NoopJobs;
import dev.imker.bench.pool.PoolProcesses;
import dev.imker.bench.pool.ProcessFigures;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A server with thousands of agents: simulated in one other process, each with a socket and a
 * session of its own. They arrive, send signs of life, run no-op tasks, and come back when the
 * server restarts.
 */
public final class AgentsBench {
  private static final PrintStream OUT = System.out;
  private static final int FILES_BESIDE_SOCKETS = 1_000;
  private static final int TASKS = 200_000;
  private static final int WARM_UP = 50_000;
  private static final int ROUNDS = 3;
  private static final int SINGLES = 200;
  private static final long PATIENCE_SECONDS = 180;

  private final int agents;
  private final int quietSeconds;

  private AgentsBench(int agents, int quietSeconds) {
    this.agents = agents;
    this.quietSeconds = quietSeconds;
  }

  public static void run(String... args) throws Exception {
    int agents = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
    int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 30;
    requireFiles(agents);
    new AgentsBench(agents, seconds).run();
  }

  private static void requireFiles(int agents) {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        && unix.getMaxFileDescriptorCount() < agents + FILES_BESIDE_SOCKETS) {
      throw new IllegalStateException(
          "%,d agents need more open files than %,d; raise the limit with ulimit -n"
              .formatted(agents, unix.getMaxFileDescriptorCount()));
    }
  }

  private void run() throws Exception {
    try (PoolProcesses pool = PoolProcesses.start()) {
      double emptyHeap = ProcessFigures.usedHeapMegabytes(pool.serverPid());
      OUT.printf(Locale.ROOT, "| agents | %,d |%n", agents);
      long start = System.nanoTime();
      try (SwarmProcess swarm = SwarmProcess.start(pool.joinToken(), agents)) {
        awaitAll(swarm);
        OUT.printf(
            Locale.ROOT,
            "| all are here after (they arrive over 8 s) | %.1f s |%n",
            secondsSince(start));
        signsOfLife(pool, swarm);
        double heap = ProcessFigures.usedHeapMegabytes(pool.serverPid());
        OUT.printf(
            Locale.ROOT,
            "| server's heap after GC: empty, with all agents, per agent | %.0f MB, %.0f MB, %.1f"
                + " KB |%n",
            emptyHeap,
            heap,
            (heap - emptyHeap) * 1024 / agents);
        OUT.printf(
            Locale.ROOT,
            "| server's resident memory | %.0f MB |%n",
            ProcessFigures.residentMegabytes(pool.serverPid()));
        work(pool);
        restart(pool, swarm);
      }
    }
  }

  private void awaitAll(SwarmProcess swarm) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    for (SwarmReport report = swarm.report(); report.here() < agents; report = swarm.report()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("not all agents are here: " + report);
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private void signsOfLife(PoolProcesses pool, SwarmProcess swarm) throws Exception {
    swarm.reset();
    double cpuBefore = ProcessFigures.cpuSeconds(pool.serverPid());
    TimeUnit.SECONDS.sleep(quietSeconds);
    double cpu = ProcessFigures.cpuSeconds(pool.serverPid()) - cpuBefore;
    SwarmReport report = swarm.report();
    OUT.printf(
        Locale.ROOT,
        "| signs of life a second | %,.0f |%n",
        report.signs() / (double) quietSeconds);
    OUT.printf(Locale.ROOT, "| unanswered signs of life | %,d |%n", report.unanswered());
    OUT.printf(
        Locale.ROOT,
        "| sign of life → reply p50, p99, worst | %.2f ms, %.2f ms, %.2f ms |%n",
        report.replyMicrosP50() / 1000.0,
        report.replyMicrosP99() / 1000.0,
        report.replyMicrosMax() / 1000.0);
    OUT.printf(Locale.ROOT, "| server's processors used meanwhile | %.2f |%n", cpu / quietSeconds);
    OUT.printf(Locale.ROOT, "| agents lost meanwhile | %,d |%n", agents - report.here());
  }

  private static void work(PoolProcesses pool) {
    try (ApiClient api = pool.client()) {
      seconds(api, WARM_UP);
      double[] rates = new double[ROUNDS];
      for (int i = 0; i < ROUNDS; i++) {
        rates[i] = TASKS / seconds(api, TASKS);
      }
      Arrays.sort(rates);
      OUT.printf(
          Locale.ROOT,
          "| no-op tasks a second over all agents, durable | %,.0f |%n",
          rates[ROUNDS / 2]);
      double[] millis = new double[SINGLES];
      for (int i = 0; i < SINGLES; i++) {
        millis[i] = seconds(api, 1) * 1000;
      }
      Arrays.sort(millis);
      OUT.printf(
          Locale.ROOT,
          "| one task submit→done p50, p99 | %.2f ms, %.2f ms |%n",
          millis[SINGLES / 2],
          millis[SINGLES * 99 / 100]);
    }
  }

  private static double seconds(ApiClient api, int tasks) {
    long start = System.nanoTime();
    long job = NoopJobs.submit(api, "bench", tasks);
    new JobWatch(api, trouble -> {}).untilSettled(job, view -> {});
    return secondsSince(start);
  }

  private void restart(PoolProcesses pool, SwarmProcess swarm) throws Exception {
    swarm.reset();
    long stopped = System.nanoTime();
    pool.restartServer();
    long answering = System.nanoTime();
    awaitAll(swarm);
    SwarmReport report = swarm.report();
    OUT.printf(
        Locale.ROOT,
        "| server restart, until it answers | %.1f s |%n",
        (answering - stopped) / 1e9);
    OUT.printf(
        Locale.ROOT, "| all agents are back after another | %.1f s |%n", secondsSince(answering));
    OUT.printf(
        Locale.ROOT,
        "| connection attempts in all, most in a second | %,d, %,d |%n",
        report.attempts(),
        report.peakAttemptsPerSecond());
    OUT.printf(
        Locale.ROOT,
        "| sessions opened in all, most in a second | %,d, %,d |%n",
        report.opened(),
        report.peakOpenedPerSecond());
  }

  private static double secondsSince(long startNanos) {
    return (System.nanoTime() - startNanos) / 1e9;
  }
}
