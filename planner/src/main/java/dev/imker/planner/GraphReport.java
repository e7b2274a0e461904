package dev.imker.planner;

import java.util.List;

/**
 * A planning graph to look at: what becomes possible at which level.
 *
 * @param levels from the start state on
 * @param levelledOff whether further levels would all be like the last
 * @param goalPossible whether at the last level all goals are present and none excludes another
 */
public record GraphReport(List<Level> levels, boolean levelledOff, boolean goalPossible) {
  public GraphReport {
    levels = List.copyOf(levels);
  }

  /**
   * One level of propositions and the layer of actions that leads to it.
   *
   * @param newPropositions what can hold here for the first time
   * @param newActions what can be done in the layer before this level for the first time
   * @param propositions how many propositions can hold here
   * @param actions how many actions can be done in the layer before
   * @param mutexes how many pairs of propositions exclude each other here
   * @param excluding some of these pairs
   */
  public record Level(
      int number,
      List<String> newPropositions,
      List<String> newActions,
      int propositions,
      int actions,
      int mutexes,
      List<String> excluding) {
    public Level {
      newPropositions = List.copyOf(newPropositions);
      newActions = List.copyOf(newActions);
      excluding = List.copyOf(excluding);
    }
  }

  public String toJson() {
    JsonWriter json = new JsonWriter().open('{').name("levels").open('[');
    for (Level level : levels) {
      json.open('{')
          .field("number", level.number)
          .field("propositions", level.propositions)
          .field("actions", level.actions)
          .field("mutexes", level.mutexes)
          .name("newPropositions")
          .list(level.newPropositions)
          .name("newActions")
          .list(level.newActions)
          .name("excluding")
          .list(level.excluding)
          .close('}');
    }
    return json.close(']')
        .field("levelledOff", levelledOff)
        .field("goalPossible", goalPossible)
        .close('}')
        .toString();
  }
}
