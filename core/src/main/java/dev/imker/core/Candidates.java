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
