package dev.imker.coord.tasks;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.curator.framework.api.transaction.CuratorOp;

/**
 * The answers given to runs, stored in ZooKeeper in one transaction with the change itself. A
 * change whose answer was lost can therefore be retried: exactly one of all attempts with the same
 * mark succeeds, whenever it arrives.
 */
final class Answers {
  /** For how many channels of a run the last answer is kept. */
  private static final int CHANNELS = 1000;

  private static final byte[] NOTHING = new byte[0];

  /** A change and the answer to give when it has been made. */
  record Try(CuratorOp change, Told told) {}

  /** A request with its caller and channel. */
  record Question(String scope, Member self, Once once, int what) {
    Told told(long value, long version, byte[] data) {
      return new Told(once.serial(), what, value, version, data);
    }

    String answer() {
      return all(scope) + "/" + self.node() + "/" + once.channel();
    }
  }

  private final Nodes nodes;
  private final Map<String, Deque<String>> made = new ConcurrentHashMap<>();

  Answers(Nodes nodes) {
    this.nodes = nodes;
  }

  private static String all(String scope) {
    return ZooKeeperCoordination.ROOT + scope + "/answer";
  }

  /**
   * Makes a change once.
   *
   * @param next the change as the thing is now; nothing if it cannot be made
   * @return what was told; empty if the change could not be made
   */
  Optional<Told> once(Question question, Supplier<Optional<Try>> next) {
    String answer = question.answer();
    String parent = answer.substring(0, answer.lastIndexOf('/'));
    nodes.create(parent, NOTHING);
    while (true) {
      Optional<Nodes.Content> kept = nodes.read(answer);
      if (kept.isPresent()) {
        Told told = Told.of(kept.get().data());
        if (told.answers(question.once, question.what)) {
          return Optional.of(told);
        }
      }
      Optional<Try> one = next.get();
      if (one.isEmpty()) {
        return Optional.empty();
      }
      byte[] data = one.get().told.bytes();
      CuratorOp keep =
          kept.isPresent()
              ? nodes.writing(answer, data, kept.get().version())
              : nodes.creating(answer, data);
      if (nodes.together(List.of(one.get().change, keep))) {
        if (kept.isEmpty()) {
          forgetOldest(parent, answer);
        }
        return Optional.of(one.get().told);
      }
    }
  }

  /** Answers of a former server are removed with their run. */
  private void forgetOldest(String parent, String answer) {
    Deque<String> known = made.computeIfAbsent(parent, _ -> new ArrayDeque<>());
    String oldest = null;
    synchronized (known) {
      known.add(answer);
      if (known.size() > CHANNELS) {
        oldest = known.remove();
      }
    }
    if (oldest != null) {
      nodes.delete(oldest);
    }
  }

  /** Removes the answers of finished runs. */
  void tidy(String scope, Predicate<String> alive) {
    String all = all(scope);
    for (String node : nodes.children(all).names()) {
      if (!alive.test(node)) {
        nodes.deleteAll(all + "/" + node);
        made.remove(all + "/" + node);
      }
    }
  }
}
