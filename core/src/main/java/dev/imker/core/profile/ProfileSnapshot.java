package dev.imker.core.profile;

import java.util.List;

/** What of all profiles is kept over restarts. Task counts are not: they follow from the tasks. */
public record ProfileSnapshot(List<NodeSnapshot> nodes, List<ProjectSnapshot> projects) {
  public ProfileSnapshot {
    nodes = List.copyOf(nodes);
    projects = List.copyOf(projects);
  }
}
