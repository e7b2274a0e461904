package dev.imker.model.job;

import java.util.Map;

/**
 * How an action of a plan is executed, in addition to the stage of its name.
 *
 * @param action name in the domain
 * @param undo name of the stage that cleans up after the action has failed; empty if there is none
 * @param makes files that represent effects, by fact: {@code (in ?f ?p)} and a glob among the
 *     results of its task
 * @param uses folders for the files of facts that the action requires, by fact
 * @param seconds its estimated duration; 0 if unknown
 */
public record ActionBinding(
    String action,
    String undo,
    Map<String, String> makes,
    Map<String, String> uses,
    double seconds) {
  public ActionBinding {
    makes = Map.copyOf(makes);
    uses = Map.copyOf(uses);
  }
}
