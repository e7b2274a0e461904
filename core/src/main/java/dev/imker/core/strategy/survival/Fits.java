package dev.imker.core.strategy.survival;

import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Choice;
import java.util.Arrays;

/**
 * Which part of the nodes fits a project's requirements, as far as they were seen asking: a project
 * with READY tasks that is not offered to a node does not fit it.
 */
final class Fits {
  private static final double MEMORY = 0.8;
  private static final double LEAST = 0.01;

  private double[] offered = {};
  private double[] asked = {};
  private long[] offeredIn = {};
  private int[] watched = {};
  private long choices;

  /** From now on these projects are watched. Older sightings count less. */
  void watch(int[] projects) {
    watched = projects.clone();
    for (int k : watched) {
      reserve(k);
      offered[k] *= MEMORY;
      asked[k] *= MEMORY;
    }
  }

  void see(Choice choice) {
    choices++;
    for (int i = 0; i < choice.fitting(); i++) {
      int k = choice.fitting(i).index();
      reserve(k);
      offeredIn[k] = choices;
    }
    for (int k : watched) {
      if (k < choice.pool().projects() && choice.pool().project(k).ready() > 0) {
        asked[k]++;
        offered[k] += offeredIn[k] == choices ? 1 : 0;
      }
    }
  }

  /** Share of the nodes that fit; 1 while unknown. */
  double share(ProjectProfile project) {
    int k = project.index();
    return k >= asked.length ? 1 : Math.max(LEAST, (offered[k] + 1) / (asked[k] + 1));
  }

  private void reserve(int project) {
    if (project >= asked.length) {
      offered = Arrays.copyOf(offered, project + 16);
      asked = Arrays.copyOf(asked, project + 16);
      offeredIn = Arrays.copyOf(offeredIn, project + 16);
    }
  }
}
