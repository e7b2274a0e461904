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
  private static final int WINDOW = 1_000;
  private static final int WINDOWS = 8;
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
          Contender contender = new ImkerContender(imker)) {
        System.out.println(
            "| calls | p50 ms | p90 ms | client µs | server µs | agent µs | host µs |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (int i = 0; i < WINDOWS; i++) {
          window(pool, contender, i);
        }
      }
    }
  }

  private static void window(PoolProcesses pool, Contender contender, int number) throws Exception {
    double[] millis = new double[WINDOW];
    Cpu before = Cpu.now(pool);
    for (int i = 0; i < WINDOW; i++) {
      long start = System.nanoTime();
      contender.calls(1);
      millis[i] = (System.nanoTime() - start) / 1e6;
    }
    Cpu after = Cpu.now(pool);
    Arrays.sort(millis);
    System.out.printf(
        Locale.ROOT,
        "| %,d | %.2f | %.2f | %.0f | %.0f | %.0f | %.0f |%n",
        (number + 1) * WINDOW,
        millis[WINDOW / 2],
        millis[WINDOW * 9 / 10],
        micros(after.client - before.client),
        micros(after.server - before.server),
        micros(after.agent - before.agent),
        micros(after.hosts - before.hosts));
  }

  private static double micros(double seconds) {
    return seconds * 1e6 / WINDOW;
  }
}
