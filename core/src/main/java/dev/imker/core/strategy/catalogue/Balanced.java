package dev.imker.core.strategy.catalogue;

import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Choice;
import java.util.HashMap;
import java.util.Map;

/**
 * Serves the project with the fewest tasks being worked on. While there are fewer nodes than
 * projects that want one, users come first: of the projects of the user with the fewest tasks being
 * worked on, so that many projects do not bring their user more than few.
 */
public final class Balanced extends LeastCost {
  /** Outweighs whatever projects of one user differ by. */
  private static final double USER = 1e9;

  private final Map<String, Integer> workingOf = new HashMap<>();

  @Override
  public String name() {
    return "balanced";
  }

  @Override
  void prepare(Choice choice) {
    workingOf.clear();
    if (choice.pool().nodesUp() < choice.candidates()) {
      for (int i = 0; i < choice.pool().projects(); i++) {
        ProjectProfile project = choice.pool().project(i);
        workingOf.merge(project.project().user(), project.working(), Integer::sum);
      }
    }
  }

  @Override
  double cost(Choice choice, int position) {
    ProjectProfile project = choice.candidate(position);
    return USER * ofUser(project) + project.working();
  }

  private int ofUser(ProjectProfile project) {
    return workingOf.isEmpty() ? 0 : workingOf.getOrDefault(project.project().user(), 0);
  }

  @Override
  String describe(Choice choice, int position) {
    ProjectProfile project = choice.candidate(position);
    String text = project.working() + " tasks being worked on";
    return workingOf.isEmpty()
        ? text
        : text + ", " + ofUser(project) + " of " + project.project().user();
  }
}
