package dev.imker.core.profile;

import java.util.List;

/**
 * The part of all profiles that is kept over restarts. Task counts are not: they follow from the
 * tasks.
 */
public record ProfileSnapshot(List<NodeSnapshot> nodes, List<ProjectSnapshot> projects) {
  public ProfileSnapshot {
    nodes = List.copyOf(nodes);
    projects = List.copyOf(projects);
  }
}
