package dev.imker.core.profile;

import dev.imker.model.ProjectId;

/** Counts and run times of a project's tasks. */
public final class ProjectProfile {
  private final ProjectId project;
  private int working;

  public ProjectProfile(ProjectId project) {
    this.project = project;
  }

  public ProjectId project() {
    return project;
  }

  /** Number of its tasks that are being worked on (nrWORKING). */
  public int working() {
    return working;
  }

  public void onAssigned() {
    working++;
  }

  public void onReleased() {
    working--;
  }
}
