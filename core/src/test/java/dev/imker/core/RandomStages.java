package dev.imker.core;

import dev.imker.core.message.Dependency;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.StageHeader;
import dev.imker.model.JobId;
import dev.imker.model.TaskRange;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.TaskRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Makes up stages that wait for each other, and for tasks of earlier jobs. */
final class RandomStages {
  private final Random random;
  private final List<JobHeader> earlier;

  RandomStages(Random random, List<JobHeader> earlier) {
    this.random = random;
    // A job that begins again does not take back what others made of it.
    this.earlier =
        earlier.stream()
            .filter(
                job ->
                    job.onFailure().way() == OnFailure.Way.CARRY_ON
                        || job.onFailure().way() == OnFailure.Way.ABORT)
            .toList();
  }

  OnFailure onFailure() {
    OnFailure.Way[] ways = OnFailure.Way.values();
    return random.nextBoolean()
        ? OnFailure.CARRY_ON
        : new OnFailure(ways[random.nextInt(ways.length)], random.nextInt(3));
  }

  List<StageHeader> stages(Requirements needs) {
    int count = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 1;
    int[] sizes = new int[count];
    for (int i = 0; i < count; i++) {
      sizes[i] = i > 0 && random.nextBoolean() ? sizes[i - 1] : 1 + random.nextInt(8);
    }
    // A stage may stand before those it waits for.
    boolean backwards = random.nextBoolean();
    List<StageHeader> stages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      stages.add(new StageHeader(sizes[i], needs, rules(), after(i, sizes, backwards)));
    }
    return stages;
  }

  private TaskRules rules() {
    return TaskRules.USUAL
        .withLimits(1 + random.nextInt(3), random.nextBoolean() ? 300 : 0)
        .withSpeculative(random.nextBoolean())
        .withBackoff(random.nextInt(3) == 0 ? 100 : 0)
        .withQuorum(random.nextInt(5) == 0 ? random.nextInt(3) : 1)
        .with(draft -> draft.atMost = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 0);
  }

  private List<Dependency> after(int stage, int[] sizes, boolean backwards) {
    List<Dependency> after = new ArrayList<>();
    for (int other = 0; other < sizes.length; other++) {
      boolean isEarlier = backwards ? other > stage : other < stage;
      if (isEarlier && random.nextInt(3) > 0) {
        after.add(onStage(stage, other, sizes));
      }
    }
    if (!earlier.isEmpty() && random.nextInt(4) == 0) {
      after.add(new Dependency.Tasks(List.of(range(), range()), random.nextInt(3) == 0));
    }
    return after;
  }

  private Dependency onStage(int stage, int other, int[] sizes) {
    if (sizes[stage] == sizes[other] && random.nextBoolean()) {
      return new Dependency.Each(other);
    }
    if (random.nextBoolean()) {
      return new Dependency.All(other, random.nextInt(3) == 0);
    }
    int groups = 1 + random.nextInt(3);
    return new Dependency.Grouped(
        other, groups, groupOf(sizes[other], groups), groupOf(sizes[stage], groups));
  }

  private int[] groupOf(int tasks, int groups) {
    int[] groupOf = new int[tasks];
    for (int i = 0; i < tasks; i++) {
      groupOf[i] = random.nextInt(groups + 1) - 1;
    }
    return groupOf;
  }

  private TaskRange range() {
    JobId job = earlier.get(random.nextInt(earlier.size())).id();
    int from = random.nextInt(3);
    return new TaskRange(job, from, from + 1 + random.nextInt(5));
  }
}
