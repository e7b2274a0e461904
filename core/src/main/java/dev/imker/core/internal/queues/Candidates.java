package dev.imker.core.internal.queues;

import dev.imker.core.message.AgentOffer;
import dev.imker.core.profile.ProjectProfile;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Projects a slot may serve. Plain arrays, with the profiles next to the queues: strategies look at
 * every one of them in every decision.
 */
public final class Candidates {
  private ProjectQueues[] queues = new ProjectQueues[8];
  private ProjectProfile[] profiles = new ProjectProfile[8];
  private int size;

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public ProjectQueues queues(int position) {
    return queues[position];
  }

  public ProjectProfile profile(int position) {
    return profiles[position];
  }

  public void clear() {
    size = 0;
  }

  /** Fills {@code chosen} with those of the best preference that has any. */
  public void choose(AgentOffer offer, Candidates chosen) {
    chosen.clear();
    int best = AgentOffer.NOT_SERVED;
    for (int i = 0; i < size; i++) {
      int rank = offer.rank(profiles[i]);
      if (rank < best) {
        best = rank;
        chosen.clear();
      }
      if (rank == best && rank != AgentOffer.NOT_SERVED) {
        chosen.add(queues[i]);
      }
    }
  }

  /** Adds a project or takes it out, where they are in the order of their definition. */
  void set(ProjectQueues project, boolean present) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (profiles[middle].index() < project.index()) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    boolean known = low < size && queues[low] == project;
    if (known && !present) {
      size--;
      move(low + 1, low, size - low);
    } else if (!known && present) {
      add(project);
      move(low, low + 1, size - 1 - low);
      queues[low] = project;
      profiles[low] = project.profile();
    }
  }

  /** Fills {@code chosen} with those that may prefer some of all classes; returns it. */
  public Candidates preferring(BitSet some, BitSet all, Candidates chosen) {
    chosen.clear();
    for (int i = 0; i < size; i++) {
      if (queues[i].mayPrefer(some, all)) {
        chosen.add(queues[i]);
      }
    }
    return chosen;
  }

  boolean isSame(Candidates other) {
    return Arrays.equals(queues, 0, size, other.queues, 0, other.size);
  }

  private void move(int from, int to, int count) {
    System.arraycopy(queues, from, queues, to, count);
    System.arraycopy(profiles, from, profiles, to, count);
  }

  public void add(ProjectQueues project) {
    if (size == queues.length) {
      queues = Arrays.copyOf(queues, 2 * size);
      profiles = Arrays.copyOf(profiles, 2 * size);
    }
    queues[size] = project;
    profiles[size] = project.profile();
    size++;
  }
}
