package dev.imker.core;

import dev.imker.core.profile.ProjectProfile;
import java.util.Arrays;

/**
 * Projects a slot may serve. Plain arrays, with the profiles next to the queues: strategies look at
 * every one of them in every decision.
 */
final class Candidates {
  private ProjectQueues[] queues = new ProjectQueues[8];
  private ProjectProfile[] profiles = new ProjectProfile[8];
  private int size;

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  ProjectQueues queues(int position) {
    return queues[position];
  }

  ProjectProfile profile(int position) {
    return profiles[position];
  }

  void clear() {
    size = 0;
  }

  /** Fills {@code chosen} with those of the best preference that has any. */
  void choose(AgentOffer offer, Candidates chosen) {
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

  void add(ProjectQueues project) {
    if (size == queues.length) {
      queues = Arrays.copyOf(queues, 2 * size);
      profiles = Arrays.copyOf(profiles, 2 * size);
    }
    queues[size] = project;
    profiles[size] = project.profile();
    size++;
  }
}
