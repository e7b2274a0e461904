package dev.imker.bench.pool;

import dev.imker.cli.api.ApiClient;
import dev.imker.client.context.PoolContext;
import dev.imker.model.AgentId;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.change.Change;
import dev.imker.model.change.NodeProfiled;
import dev.imker.model.change.NodeSeen;
import dev.imker.server.RunningServer;
import dev.imker.store.PoolStore;
import dev.imker.store.sqlite.SqliteStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A pool that has seen many nodes, written to disk as a server would have. */
public final class LargePool {
  private static final long SEED = 10;

  private LargePool() {}

  public static String nodeId(int number) {
    return "node-" + number;
  }

  public static void fill(Path folder, int nodes) {
    Random random = new Random(SEED);
    List<Change> changes = new ArrayList<>(2 * nodes);
    long now = System.currentTimeMillis();
    for (int i = 0; i < nodes; i++) {
      NodeId node = new NodeId(nodeId(i));
      changes.add(
          new NodeSeen(
              node,
              new AgentId("agent-" + i),
              "agent-" + i,
              "bench",
              platform(i, random),
              4,
              false,
              now - random.nextInt(86_400_000)));
      changes.add(new NodeProfiled(node, profile(random)));
    }
    try (PoolStore store = SqliteStore.open(folder)) {
      store.beginEpoch();
      store.commit(changes);
    }
  }

  private static Platform platform(int number, Random random) {
    return new Platform(
        "linux",
        "6.1",
        "x86_64",
        "host-" + number,
        2 << random.nextInt(5),
        0,
        (4L << random.nextInt(5)) << 30,
        100L << 30,
        3000 + random.nextInt(3000),
        Map.of("java", "25", "python", "3.13"),
        Set.of());
  }

  private static String profile(Random random) {
    return String.format(
        Locale.ROOT,
        "{\"version\":2,\"benchmarkMillis\":%d,\"reputation\":%.3f,\"succeededMinutes\":[%.2f],"
            + "\"failedMinutes\":[%.2f],\"uptimesMinutes\":[%.1f],\"successes\":%d,\"failures\":%d}",
        3000 + random.nextInt(3000),
        2 * random.nextDouble() - 1,
        Math.exp(random.nextGaussian()),
        Math.exp(random.nextGaussian()),
        Math.exp(4 + random.nextGaussian()),
        random.nextInt(1000),
        random.nextInt(100));
  }

  /** A job that nobody works on. */
  public static long submit(RunningServer server, int tasks) {
    try (ApiClient api =
        new ApiClient(new PoolContext(server.address(), server.adminToken(), ""))) {
      return NoopJobs.submit(api, "large", tasks);
    }
  }
}
