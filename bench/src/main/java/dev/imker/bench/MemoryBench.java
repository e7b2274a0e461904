package dev.imker.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.bench.pool.NoopJobs;
import dev.imker.bench.pool.PoolProcesses;
import dev.imker.bench.pool.ProcessFigures;
import dev.imker.cli.api.ApiClient;
import java.util.Locale;

/** Heap of a server that holds a million READY tasks, and the time it needs to start with them. */
final class MemoryBench {
  private static final int TASKS = 1_000_000;

  private MemoryBench() {}

  static void run(String... args) throws Exception {
    System.out.println("| 1,000,000 READY tasks | heap after GC | restart |");
    System.out.println("|---|---|---|");
    measure("one job", 1);
    measure("1000 jobs in 1000 projects", 1000);
    measure("5000 jobs in 100 projects", 5000);
  }

  private static void measure(String name, int jobs) throws Exception {
    try (PoolProcesses pool = PoolProcesses.start()) {
      try (ApiClient api = pool.client()) {
        for (int i = 0; i < jobs; i++) {
          NoopJobs.submit(api, "p" + i % (jobs > 1000 ? 100 : jobs), TASKS / jobs);
        }
      }
      double heap = ProcessFigures.usedHeapMegabytes(pool.serverPid());
      long start = System.nanoTime();
      pool.restartServer();
      try (ApiClient api = pool.client()) {
        JsonNode counts = api.get("/api/v1/pool").path("tasks");
        if (counts.path("ready").asLong() != TASKS) {
          throw new IllegalStateException("after the restart: " + counts);
        }
      }
      System.out.printf(
          Locale.ROOT,
          "| %s | %.0f MB | %.1f s |%n",
          name,
          heap,
          (System.nanoTime() - start) / 1e9);
    }
  }
}
