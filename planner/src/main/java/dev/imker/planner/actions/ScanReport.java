package dev.imker.planner.actions;

import java.util.List;

/**
 * What a scan found.
 *
 * @param problems annotated classes, or class files, that could not be understood, one sentence
 *     each
 */
public record ScanReport(List<ScannedAction> actions, List<String> problems) {
  public ScanReport {
    actions = List.copyOf(actions);
    problems = List.copyOf(problems);
  }

  public ActionLibrary toLibrary() {
    return new ActionLibrary(actions.stream().map(ScannedAction::description).toList());
  }
}
