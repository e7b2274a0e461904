package dev.imker.bench.java;

import dev.imker.bench.pool.PoolProcesses;
import dev.imker.bench.pool.ProcessFigures;
import dev.imker.client.Imker;
import java.util.Arrays;
import java.util.Locale;

/**
 * Single Java calls one after the other from the first on: their median by the thousand, and the
 * processor time that each process spends on one. The latter says something on a busy machine too.
 */
final class SingleCalls {
  /** Calls of each window: the first ones cost most. */
  private static final int[] WINDOWS = {200, 800, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000};

  /** Tasks of a call each, all at once. */
  private static final int TASKS = 20_000;

  private static final String AGENT = "java";

  private record Cpu(double client, double server, double agent, double hosts) {
    static Cpu now(PoolProcesses pool) {
      ProcessHandle agent = pool.agent(AGENT).toHandle();
      return new Cpu(
          ProcessFigures.cpuSeconds(ProcessHandle.current().pid()),
          ProcessFigures.cpuSeconds(pool.serverPid()),
          ProcessFigures.cpuSeconds(agent.pid()),
          agent
              .descendants()
              .mapToDouble(process -> ProcessFigures.cpuSeconds(process.pid()))
              .sum());
    }
  }

  private SingleCalls() {}

  static void run(int slots) throws Exception {
    try (PoolProcesses pool = PoolProcesses.start()) {
      pool.addAgent(AGENT, slots);
      try (Imker imker = pool.connect();
          Contender contender = new ImkerContender(imker, 0)) {
        System.out.println(
            "| calls | p50 ms | p90 ms | client µs | server µs | agent µs | host µs |");
        System.out.println("|---|---|---|---|---|---|---|");
        int made = 0;
        for (int calls : WINDOWS) {
          made += calls;
          window(pool, contender, calls, made);
        }
        tasksPerSecond(imker);
      }
    }
  }

  private static void tasksPerSecond(Imker imker) throws Exception {
    try (Contender contender = new ImkerContender(imker, 1)) {
      contender.calls(TASKS);
      long start = System.nanoTime();
      contender.calls(TASKS);
      System.out.printf(
          Locale.ROOT,
          "%nwithChunk(1): %,.0f no-op tasks a second, %,d at once%n",
          TASKS * 1e9 / (System.nanoTime() - start),
          TASKS);
    }
  }

  private static void window(PoolProcesses pool, Contender contender, int calls, int made)
      throws Exception {
    double[] millis = new double[calls];
    Cpu before = Cpu.now(pool);
    for (int i = 0; i < calls; i++) {
      long start = System.nanoTime();
      contender.calls(1);
      millis[i] = (System.nanoTime() - start) / 1e6;
    }
    Cpu after = Cpu.now(pool);
    Arrays.sort(millis);
    System.out.printf(
        Locale.ROOT,
        "| %,d | %.2f | %.2f | %.0f | %.0f | %.0f | %.0f |%n",
        made,
        millis[calls / 2],
        millis[calls * 9 / 10],
        micros(after.client - before.client, calls),
        micros(after.server - before.server, calls),
        micros(after.agent - before.agent, calls),
        micros(after.hosts - before.hosts, calls));
  }

  private static double micros(double seconds, int calls) {
    return seconds * 1e6 / calls;
  }
}
