package dev.imker.core.strategy;

import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import java.util.function.Consumer;

/**
 * Decides which project's task a free slot gets. Inside a project, priority and then age decide.
 * The cost of a decision may depend on the number of projects, never on the number of tasks.
 */
public interface Strategy {
  /** Result of {@link #choose}: leave the slot free for now. */
  int NONE = -1;

  /** How many numbers a candidate is described by. */
  int FIGURES = 4;

  String name();

  /** Called once before the first choice; strategies that learn more listen to the pool. */
  default void attach(PoolProfile pool) {}

  /** Called when another strategy replaces this one. */
  default void detach(PoolProfile pool) {}

  /**
   * Reports what it has learnt since the last call, for a limited number of subjects at a time;
   * true if there is more.
   */
  default boolean remember(int most, Consumer<StrategyMemory> sink) {
    return false;
  }

  /** Restores what was reported to {@link #remember}; called before the first choice. */
  default void recall(PoolProfile pool, StrategyMemory memory) {}

  /** Position of the chosen candidate, or {@link #NONE}. Called only with candidates present. */
  int choose(Choice choice);

  /**
   * Position of the running task the slot shall work on as well, or {@link #NONE}. Called only when
   * {@link #choose} had no candidate or chose none. The first copy to finish wins, the scheduler
   * stops the others at once.
   */
  default int chooseCopy(CopyChoice choice) {
    return choice.byReputation().choose(choice);
  }

  /** Which of the agents with a free slot is served next. */
  enum Serving {
    /** All in turn, one task each. */
    IN_TURN,
    /** The one with the fewest tasks. */
    FEWEST_TASKS,
    /** The one that has asked first, until it has no free slot. */
    FIRST_ASKED
  }

  default Serving serving() {
    return Serving.IN_TURN;
  }

  /**
   * How many tasks may wait at an agent for each of its slots, however long they take. What waits
   * at one goes to another that has a free slot and nothing else to do.
   */
  default int queuePerSlot() {
    return 0;
  }

  /** Whether it wants running tasks offered for copies even where nobody asked for them. */
  default boolean speculates() {
    return false;
  }

  /** A format for the {@link #figures} of the last choice. */
  default String wording() {
    return "%.4g cores working on it, %.0f tasks ready, %.0f %% done, about %.2f min each";
  }

  /** Writes {@link #FIGURES} numbers that describe a candidate of the last choice. */
  default void figures(Choice choice, int position, double[] into, int at) {
    ProjectProfile project = choice.candidate(position);
    into[at] = project.load();
    into[at + 1] = project.ready();
    into[at + 2] = 100 * project.doneShare();
    into[at + 3] = project.runMinutes();
  }

  /** Why {@link #choose} would choose what it would choose now, in words, with the numbers. */
  default String explain(Choice choice) {
    int chosen = choose(choice);
    return chosen == NONE
        ? name() + " leaves the slot free"
        : name() + " chooses " + choice.candidate(chosen).project();
  }
}
