package dev.imker.core.internal.queues;

import java.util.BitSet;

/**
 * The projects that have READY tasks of some classes, brought up to date when they are asked for.
 */
public final class FittingProjects {
  private static final long NEVER = -1;

  private final BitSet classes;
  private final Candidates projects = new Candidates();
  private long version = NEVER;

  /**
   * @param classes not to be changed any more
   */
  public FittingProjects(BitSet classes) {
    this.classes = classes;
  }

  /** Whether it holds just those that it should, as of the last time that it was asked. */
  public boolean isRight(ReadyWork ready) {
    Candidates all = new Candidates();
    ready.collect(classes, all);
    return version != ready.version() || all.isSame(projects);
  }

  /** In the order of their definition; valid until the next call. */
  public Candidates in(ReadyWork ready) {
    if (version != ready.version()) {
      if (version == NEVER || !ready.hasChangesSince(version)) {
        ready.collect(classes, projects);
      } else {
        for (long change = version; change < ready.version(); change++) {
          ProjectQueues project = ready.changed(change);
          projects.set(project, project.hasWork(classes));
        }
      }
      version = ready.version();
    }
    return projects;
  }
}
