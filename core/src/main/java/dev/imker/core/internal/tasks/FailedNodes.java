package dev.imker.core.internal.tasks;

import dev.imker.core.profile.NodeProfile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where tasks of a job failed: which nodes are suspected, and which are avoided for a while. */
public final class FailedNodes {
  private static final int MAX_SUSPICIONS = 8;

  private @Nullable LongTable<Avoidance> avoidances;
  private @Nullable LongTable<List<Suspicion>> suspicions;

  /** Notes on which node a task failed; of each node once, and of the last few only. */
  public void suspect(int index, NodeProfile node, long runMillis, long unfitUntilMillis) {
    if (suspicions == null) {
      suspicions = new LongTable<>();
    }
    List<Suspicion> known = suspicions.get(index);
    if (known == null) {
      known = new ArrayList<>(1);
      suspicions.put(index, known);
    }
    known.removeIf(suspicion -> suspicion.node() == node);
    if (known.size() == MAX_SUSPICIONS) {
      known.removeFirst();
    }
    known.add(new Suspicion(node, runMillis, unfitUntilMillis));
  }

  /** Whether a node could not start a task, and another one is waited for. */
  public boolean isUnfit(int index, NodeProfile node, long nowMillis) {
    return nowMillis < unfitUntilMillis(index, node);
  }

  /** Whether a node has found before that it cannot start a task. */
  public boolean couldNotStart(int index, NodeProfile node) {
    return unfitUntilMillis(index, node) > 0;
  }

  private long unfitUntilMillis(int index, NodeProfile node) {
    List<Suspicion> known = suspicions == null ? null : suspicions.get(index);
    if (known != null) {
      for (Suspicion one : known) {
        if (one.node() == node) {
          return one.unfitUntilMillis();
        }
      }
    }
    return 0;
  }

  /** The nodes on which a task failed, the last few. */
  public List<NodeProfile> suspects(int index) {
    List<Suspicion> known = suspicions == null ? null : suspicions.get(index);
    return known == null ? List.of() : known.stream().map(Suspicion::node).toList();
  }

  /** Where a task failed so far; from here on nobody is suspected. */
  public List<Suspicion> takeSuspicions(int index) {
    List<Suspicion> known = suspicions == null ? null : suspicions.get(index);
    if (suspicions == null || known == null) {
      return List.of();
    }
    suspicions.remove(index);
    return known;
  }

  /** Keeps a task from a node it failed on. */
  public void avoid(int index, Avoidance avoidance) {
    if (avoidances == null) {
      avoidances = new LongTable<>();
    }
    avoidances.put(index, avoidance);
  }

  public @Nullable Avoidance avoidance(int index) {
    return avoidances == null ? null : avoidances.get(index);
  }

  public void forgetAvoidance(int index) {
    if (avoidances != null) {
      avoidances.remove(index);
    }
  }
}
