package dev.imker.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Heap of a server that holds a million READY tasks, and the time it needs to start with them. */
final class MemoryBench {
  private static final int TASKS = 1_000_000;
  private static final Pattern USED = Pattern.compile("(?:total|heap).*?used (\\d+)K");

  private MemoryBench() {}

  static void run(String... args) throws Exception {
    System.out.println("| 1,000,000 READY tasks | heap after GC | restart |");
    System.out.println("|---|---|---|");
    measure("one job", 1);
    measure("1000 jobs in 1000 projects", 1000);
    measure("100,000 jobs in 100 projects", 100_000);
  }

  private static void measure(String name, int jobs) throws Exception {
    try (PoolProcesses pool = PoolProcesses.start()) {
      try (ApiClient api = pool.client()) {
        for (int i = 0; i < jobs; i++) {
          NoopJobs.submit(api, "p" + i % (jobs > 1000 ? 100 : jobs), TASKS / jobs);
        }
      }
      double heap = usedHeapMegabytes(pool.serverPid());
      long start = System.nanoTime();
      pool.restartServer();
      try (ApiClient api = pool.client()) {
        JsonNode counts = api.get("/api/v1/pool").path("counts");
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

  private static double usedHeapMegabytes(long pid) throws IOException, InterruptedException {
    jcmd(pid, "GC.run");
    Matcher used = USED.matcher(jcmd(pid, "GC.heap_info"));
    if (!used.find()) {
      throw new IOException("jcmd did not tell the heap's size");
    }
    return Long.parseLong(used.group(1)) / 1024.0;
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    String tool = System.getProperty("java.home") + "/bin/jcmd";
    Process process =
        new ProcessBuilder(tool, Long.toString(pid), command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text;
  }
}
