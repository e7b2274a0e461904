package dev.imker.core.strategy;

/**
 * Decides which project's task a free slot gets. Inside a project, priority and then age decide.
 * The cost of a decision may depend on the number of projects, never on the number of tasks.
 */
public interface Strategy {
  /** Result of {@link #choose}: leave the slot free for now. */
  int NONE = -1;

  String name();

  /** Position of the chosen candidate, or {@link #NONE}. Called only with candidates present. */
  int choose(Choice choice);
}
