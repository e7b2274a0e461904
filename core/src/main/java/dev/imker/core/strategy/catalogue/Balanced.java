package dev.imker.core.strategy.catalogue;

import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.strategy.Choice;
import java.util.HashMap;
import java.util.Map;

/**
 * Serves the project with the fewest cores working on its tasks. While there are fewer nodes than
 * projects that want one, users come first: of the projects of the user with the fewest cores, so
 * that many projects do not bring their user more than few.
 */
public final class Balanced extends LeastCost {
  /** Outweighs whatever projects of one user differ by. */
  private static final double USER = 1e9;

  private final Map<String, Double> loadOf = new HashMap<>();

  @Override
  public String name() {
    return "balanced";
  }

  @Override
  void prepare(Choice choice) {
    loadOf.clear();
    if (choice.pool().nodesUp() < choice.candidates()) {
      for (int i = 0; i < choice.pool().projects(); i++) {
        ProjectProfile project = choice.pool().project(i);
        loadOf.merge(project.project().user(), project.load(), Double::sum);
      }
    }
  }

  @Override
  double cost(Choice choice, int position) {
    ProjectProfile project = choice.candidate(position);
    return USER * ofUser(project) + project.load();
  }

  private double ofUser(ProjectProfile project) {
    return loadOf.isEmpty() ? 0 : loadOf.getOrDefault(project.project().user(), 0.0);
  }

  @Override
  String describe(Choice choice, int position) {
    ProjectProfile project = choice.candidate(position);
    String text = project.working() + " tasks being worked on";
    return loadOf.isEmpty()
        ? text
        : text + ", " + (long) Math.ceil(ofUser(project)) + " cores by " + project.project().user();
  }
}
