package dev.imker.chaos;

import dev.imker.chaos.simulated.SimulatedRun;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./imker chaos}: a pool of real processes under load, to which bad things happen in an
 * order given by a seed; afterwards it is proved that nothing got lost and nothing counted twice.
 */
@Command(
    name = "imker chaos",
    sortOptions = false,
    mixinStandardHelpOptions = true,
    description = {
      "Starts servers, agents, PostgreSQL and ZooKeeper, gives them work, kills, stops, cuts off",
      "and fills up what it finds, and proves afterwards that every job was finished, every result",
      "was written once, and no deposed leader wrote. Ends with 1 if not, and keeps all logs."
    })
public final class Main implements Callable<Integer> {
  private static final int LARGEST_SEED = 1_000_000_000;
  private static final long DEFAULT_SEEDS = 10_000;

  @Mixin ChaosOptions options = new ChaosOptions();

  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    long seed = options.seed == null ? new SecureRandom().nextInt(LARGEST_SEED) : options.seed;
    if (options.simulated) {
      return simulate(seed, out);
    }
    Path folder =
        options.folder == null
            ? Files.createTempDirectory("imker-chaos-")
            : Files.createDirectories(options.folder.toAbsolutePath());
    boolean kept = true;
    try {
      ChaosRun.Outcome outcome = new ChaosRun(options, seed, folder, out).run();
      kept = options.keep || !outcome.violations().isEmpty();
      out.println(
          outcome.violations().isEmpty()
              ? "Every promise was kept."
              : "%d promises were broken.".formatted(outcome.violations().size()));
      return outcome.violations().isEmpty() ? 0 : 1;
    } finally {
      if (kept) {
        out.printf("Logs are in %s; the same again: ./imker chaos --seed %d%n", folder, seed);
      } else {
        delete(folder);
      }
      out.flush();
    }
  }

  private int simulate(long seed, PrintWriter out) throws InterruptedException {
    long fallback = options.seed == null ? DEFAULT_SEEDS : 1;
    long count = options.seeds == null ? fallback : options.seeds;
    int threads = (int) Math.min(count, Runtime.getRuntime().availableProcessors());
    out.printf("Seeds %d to %d%n", seed, seed + count - 1);
    return new SimulatedRun(seed, count, threads, out).run() == 0 ? 0 : 1;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
