package dev.imker.agent.internal.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** Measures processes a second, next to xargs with the same parallelism. Run by hand. */
final class SpawnProbe {
  private SpawnProbe() {}

  public static void main(String[] args) throws Exception {
    int slots = args.length > 0 ? Integer.parseInt(args[0]) : 2;
    int count = args.length > 1 ? Integer.parseInt(args[1]) : 2000;
    Path folder = Files.createTempDirectory("spawn-probe");
    for (int round = 0; round < 4; round++) {
      System.out.printf(
          "xargs %.0f/s, posix_spawn %.0f/s, portable %.0f/s%n",
          xargs(slots, count),
          rate(PosixSpawnExecutor.shared(), folder, slots, count),
          rate(new PortableExecutor(), folder, slots, count));
    }
  }

  private static double xargs(int slots, int count) throws Exception {
    long start = System.nanoTime();
    int code =
        new ProcessBuilder(
                "sh", "-c", "seq " + count + " | xargs -P" + slots + " -n1 true >/dev/null")
            .start()
            .waitFor();
    return code == 0 ? perSecond(count, start) : Double.NaN;
  }

  /** Always the same folder and files, as the agent uses them for tasks that leave nothing. */
  private static double rate(ProcessExecutor executor, Path folder, int slots, int count)
      throws InterruptedException {
    Semaphore free = new Semaphore(slots);
    ProcessSpec spec =
        new ProcessSpec(
            List.of("true"),
            Map.of("PATH", "/usr/bin:/bin"),
            folder,
            folder.resolve("out"),
            folder.resolve("err"),
            ProcessPriority.LOWEST);
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      free.acquire();
      executor.start(spec, _ -> free.release());
    }
    free.acquire(slots);
    return perSecond(count, start);
  }

  private static double perSecond(int count, long startNanos) {
    return count * 1e9 / (System.nanoTime() - startNanos);
  }
}
