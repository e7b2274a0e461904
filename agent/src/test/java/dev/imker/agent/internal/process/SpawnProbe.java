package dev.imker.agent.internal.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
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

  private static double rate(ProcessExecutor executor, Path folder, int slots, int count)
      throws IOException, InterruptedException {
    Semaphore free = new Semaphore(slots);
    CountDownLatch left = new CountDownLatch(count);
    Map<String, String> env = Map.of("PATH", "/usr/bin:/bin");
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      free.acquire();
      Path work = Files.createDirectory(folder.resolve("w" + i));
      ProcessSpec spec =
          new ProcessSpec(
              List.of("true"),
              env,
              work,
              folder.resolve("o" + i),
              folder.resolve("e" + i),
              ProcessPriority.LOWEST);
      executor.start(
          spec,
          exit -> {
            free.release();
            left.countDown();
          });
    }
    left.await();
    double rate = perSecond(count, start);
    for (int i = 0; i < count; i++) {
      Files.delete(folder.resolve("w" + i));
      Files.delete(folder.resolve("o" + i));
      Files.delete(folder.resolve("e" + i));
    }
    return rate;
  }

  private static double perSecond(int count, long startNanos) {
    return count * 1e9 / (System.nanoTime() - startNanos);
  }
}
