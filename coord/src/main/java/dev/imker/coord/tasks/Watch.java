package dev.imker.coord.tasks;

import dev.imker.coord.CoordinationException;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.state.ConnectionState;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes waiters when ZooKeeper reports a change below a node: for a lock or an election only the
 * first in the queue, for a queue one per added item, for everything else all of them.
 *
 * <p>Finished runs change nothing in ZooKeeper by themselves. So where somebody waits, the nodes of
 * such runs are removed every half second, once per object and not per waiter; their removal is a
 * change like any other.
 */
final class Watch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);
  private static final long TIDY_MILLIS = 500;
  private static final long AGAIN_MILLIS = 1_000;
  private static final int SCOPE_KIND_NAME = 3;

  private final Nodes nodes;
  private final Waiters waiters;
  private final String root;
  private final Consumer<String> dropGone;
  private final CuratorFramework client;
  private final ScheduledExecutorService thread = executor("imker-coordination-watch");

  /** Queries the database, which may be slow, but delays no wake-up. */
  private final ScheduledExecutorService tidying = executor("imker-coordination-tidy");

  /** Always the same object: ZooKeeper stores each once, however often it is added. */
  private final Watcher watcher = this::heard;

  /**
   * @param root ends with a slash
   * @param dropGone removes the nodes of finished runs
   */
  Watch(
      CuratorFramework client,
      Nodes nodes,
      Waiters waiters,
      String root,
      Consumer<String> dropGone) {
    this.client = client;
    this.nodes = nodes;
    this.waiters = waiters;
    this.root = root;
    this.dropGone = dropGone;
    client.getConnectionStateListenable().addListener((_, state) -> connection(state), thread);
    thread.execute(this::begin);
    var _ =
        tidying.scheduleWithFixedDelay(this::tidy, TIDY_MILLIS, TIDY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static ScheduledExecutorService executor(String name) {
    return new ScheduledThreadPoolExecutor(
        1,
        Thread.ofPlatform().daemon().name(name).factory(),
        new ThreadPoolExecutor.DiscardPolicy()); // events come until the client is closed
  }

  private void connection(ConnectionState state) {
    if (state.isConnected()) {
      begin(); // changes in the meantime were not reported
    }
  }

  private void heard(WatchedEvent event) {
    thread.execute(() -> changed(event));
  }

  private void begin() {
    try {
      client
          .watchers()
          .add()
          .withMode(AddWatchMode.PERSISTENT_RECURSIVE)
          .usingWatcher(watcher)
          .forPath(root.substring(0, root.length() - 1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      LOG.debug("The watch starts when ZooKeeper is reachable: {}", e.getMessage());
      var _ = thread.schedule(this::begin, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    }
    waiters.paths().forEach(waiters::wakeAll);
  }

  private void changed(WatchedEvent event) {
    String path = event.getPath();
    if (path == null || !path.startsWith(root)) {
      return;
    }
    List<String> parts = List.of(path.substring(root.length()).split("/", -1));
    if (parts.size() >= SCOPE_KIND_NAME) {
      String thing = root + String.join("/", parts.subList(0, SCOPE_KIND_NAME));
      try {
        wake(thing, parts, event.getType());
      } catch (CoordinationException e) {
        LOG.debug("Checking {} again later: {}", thing, e.getMessage());
      }
    }
  }

  private void wake(String thing, List<String> parts, EventType type) {
    if (waiters.waiting(thing) == 0) {
      return;
    }
    switch (parts.get(1)) {
      case "lock", "election" -> {
        if (type == EventType.NodeDeleted) {
          nodes.queue(thing).stream().findFirst().ifPresent(node -> waiters.wake(thing, node));
        }
      }
      case "queue" -> {
        // An entry, not the queue itself.
        if (type == EventType.NodeCreated && parts.size() > SCOPE_KIND_NAME) {
          waiters.wakeOne(thing);
        }
      }
      case "barrier" -> {
        // Arriving members check by themselves; the last one creates this node.
        if (type == EventType.NodeDeleted || parts.getLast().equals("ready")) {
          waiters.wakeAll(thing);
        }
      }
      default -> waiters.wakeAll(thing);
    }
  }

  private void tidy() {
    for (String thing : waiters.paths()) {
      String kind = thing.substring(root.length()).split("/", -1)[1];
      try {
        switch (kind) {
          case "lock", "election", "group" -> dropGone.accept(thing);
          case "barrier" -> dropGone.accept(thing + "/in");
          default -> LOG.trace("{} has no members", thing);
        }
      } catch (RuntimeException e) { // such as an unavailable database: retried
        LOG.debug("Cleaning up {} later: {}", thing, e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    tidying.shutdownNow();
  }
}
