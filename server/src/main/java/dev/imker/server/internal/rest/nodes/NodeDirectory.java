package dev.imker.server.internal.rest.nodes;

import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.change.SettingPut;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.NodeCommands;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.NodeRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.Reads;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The known nodes, read from disk only when they may have changed. */
public final class NodeDirectory {
  private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What the loop has written of agents so far. */
  record Edition(long epoch, long number) {
    static Edition of(PoolState pool) {
      return new Edition(pool.epoch(), pool.scheduler().view().agentEdition());
    }
  }

  private record Names(NodeNames names, long atNanos) {}

  /**
   * @param position of a pool that another server leads, before the nodes were read
   */
  private record Reading(
      List<NodeRecord> nodes,
      Edition edition,
      Optional<PoolStore.Position> position,
      long atNanos) {}

  private static final String FORGOTTEN = "node-forgotten/";

  private final PoolStore store;
  private final Reads reads;
  private final SchedulerLoop loop;
  private volatile @Nullable Names lastNames;
  private volatile @Nullable Reading last;

  public NodeDirectory(PoolStore store, SchedulerLoop loop) {
    this.store = store;
    this.reads = store.reads();
    this.loop = loop;
  }

  /** As of a moment within the last second. */
  public NodeNames names() {
    Names known = lastNames;
    if (known == null || System.nanoTime() - known.atNanos > VALID_NANOS) {
      known = new Names(NodeNames.of(reads.nodes()), System.nanoTime());
      lastNames = known;
    }
    return known.names;
  }

  /** A machine that the pool knows, connected or not. */
  public record Machine(String name, Platform platform) {}

  public List<Machine> machines() throws InterruptedException {
    return nodesAt(Await.answer(loop.ask(Edition::of))).stream()
        .map(node -> new Machine(NodeNames.name(node), node.agents().getLast().platform()))
        .toList();
  }

  /** What exists once for all machines. */
  public Map<String, Double> shared() throws InterruptedException {
    return Await.answer(loop.ask(pool -> pool.resources().all()));
  }

  public List<NodeRecord> nodes() {
    return reads.nodes();
  }

  /**
   * All that was on disk when the loop told its edition; what ten thousand nodes are is not read
   * for every look at one of them. A server that only follows knows what has changed since by the
   * position that it answers from.
   */
  List<NodeRecord> nodesAt(Edition edition) {
    Reading known = last;
    Optional<PoolStore.Position> position = loop.position();
    if (known != null
        && known.edition.equals(edition)
        && (loop.isLeading()
            || (position.isPresent()
                ? position.equals(known.position)
                : System.nanoTime() - known.atNanos < VALID_NANOS))) {
      return known.nodes;
    }
    Map<String, String> forgotten = store.settings(FORGOTTEN);
    List<NodeRecord> nodes =
        reads.nodes().stream().filter(node -> !isForgotten(node, forgotten)).toList();
    Reading fresh = new Reading(nodes, edition, position, System.nanoTime());
    last = fresh;
    return fresh.nodes;
  }

  /** Leaves a node out until it is seen again. */
  void forget(NodeId node, long nowMillis) throws InterruptedException {
    Await.answer(
        new NodeCommands(loop)
            .keep(new SettingPut(FORGOTTEN + node.value(), Long.toString(nowMillis))));
    last = null;
  }

  private static boolean isForgotten(NodeRecord node, Map<String, String> forgotten) {
    String since = forgotten.getOrDefault(FORGOTTEN + node.id().value(), "");
    return !since.isEmpty()
        && node.agents().stream().allMatch(agent -> agent.seenMillis() <= Long.parseLong(since));
  }
}
