package dev.imker.core.internal.queues;

import dev.imker.core.message.AgentOffer;
import dev.imker.core.profile.ProjectProfile;
import java.util.Arrays;

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
