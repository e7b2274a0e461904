package dev.imker.bench.packing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Machines, and tasks of several projects that all are READY from the start.
 *
 * @param projects each with tasks of one size
 * @param seed of run times and of the order of submission
 */
record MixedPool(String name, List<Amounts> machines, List<Project> projects, long seed) {
  /** How far run times spread around the mean of their project: sigma of a log-normal. */
  private static final double SPREAD = 0.4;

  record Project(String name, Amounts needs, int tasks, int meanSeconds) {}

  /** A task of a project, with the time it will take. */
  record Task(int project, int index, long millis) {}

  static List<MixedPool> made(long seed) {
    Project small = new Project("small", new Amounts(1, 2, 0), 12_000, 60);
    Project medium = new Project("medium", new Amounts(4, 12, 0), 1_200, 300);
    return List.of(
        new MixedPool(
            "16 equal machines of 32 cores, 128 GB",
            machines(16, new Amounts(32, 128, 0)),
            List.of(
                small,
                medium,
                new Project("large", new Amounts(16, 48, 0), 160, 600),
                new Project("whole", new Amounts(32, 96, 0), 80, 600)),
            seed),
        new MixedPool(
            "16 machines of 4 to 64 cores, 4 GB a core",
            join(
                machines(4, new Amounts(4, 16, 0)),
                machines(6, new Amounts(8, 32, 0)),
                machines(4, new Amounts(16, 64, 0)),
                machines(2, new Amounts(64, 256, 0))),
            List.of(
                small,
                medium,
                new Project("memory", new Amounts(2, 24, 0), 300, 240),
                new Project("large", new Amounts(48, 128, 0), 24, 900)),
            seed),
        new MixedPool(
            "16 machines, 6 of them with 2 to 8 GPUs",
            join(
                machines(10, new Amounts(16, 64, 0)),
                machines(4, new Amounts(16, 128, 2)),
                machines(2, new Amounts(64, 256, 8))),
            List.of(
                small,
                medium,
                new Project("gpu", new Amounts(2, 8, 1), 1_200, 200),
                new Project("gpus", new Amounts(16, 64, 8), 24, 600),
                new Project("large", new Amounts(24, 64, 0), 48, 900)),
            seed));
  }

  /** All tasks in the order of their submission, the same every time. */
  List<Task> tasks() {
    Random random = new Random(seed);
    List<Task> all = new ArrayList<>();
    for (int p = 0; p < projects.size(); p++) {
      Project project = projects.get(p);
      for (int i = 0; i < project.tasks(); i++) {
        double factor = Math.exp(SPREAD * random.nextGaussian() - SPREAD * SPREAD / 2);
        all.add(new Task(p, i, Math.round(1000.0 * project.meanSeconds() * factor)));
      }
    }
    Collections.shuffle(all, random);
    return all;
  }

  Amounts needs(Task task) {
    return projects.get(task.project()).needs();
  }

  long capacity(int resource) {
    return machines.stream().mapToLong(machine -> machine.of(resource)).sum();
  }

  /** The resource that all tasks together need for the longest time. */
  int bottleneck() {
    int worst = 0;
    for (int resource = 1; resource < Amounts.NAMES.length; resource++) {
      worst = areaSeconds(resource) > areaSeconds(worst) ? resource : worst;
    }
    return worst;
  }

  /** How long a resource would be busy with all tasks if there were no gaps. */
  double areaSeconds(int resource) {
    long capacity = capacity(resource);
    double sum = 0;
    for (Task task : tasks()) {
      sum += (double) needs(task).of(resource) * task.millis();
    }
    return capacity == 0 ? 0 : sum / capacity / 1000;
  }

  /** The project whose tasks take the largest part of a machine. */
  int largest() {
    int largest = 0;
    for (int p = 1; p < projects.size(); p++) {
      largest =
          projects.get(p).needs().cores() > projects.get(largest).needs().cores() ? p : largest;
    }
    return largest;
  }

  private static List<Amounts> machines(int count, Amounts each) {
    return Collections.nCopies(count, each);
  }

  @SafeVarargs
  private static List<Amounts> join(List<Amounts>... parts) {
    List<Amounts> all = new ArrayList<>();
    for (List<Amounts> part : parts) {
      all.addAll(part);
    }
    return all;
  }
}
