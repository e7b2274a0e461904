package dev.imker.server.internal.rest.explain;

import dev.imker.core.SchedulerView;
import dev.imker.core.message.DecisionView;
import dev.imker.model.TaskId;
import dev.imker.server.internal.rest.nodes.NodeNames;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.store.AttemptRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Why an attempt went to its machine.
 *
 * @param task whose decision it is: another one of the same job that went to the same machine at
 *     about the same time if the task's own is no longer kept
 * @param considered projects that were candidates, the chosen one first, at most four
 */
public record PastDecision(
    int attempt,
    String node,
    String task,
    String at,
    String why,
    String strategy,
    int candidates,
    int fitting,
    int idleNodes,
    double reputation,
    double uptimeMinutes,
    List<Considered> considered) {
  /** Attempts whose decision is told. */
  private static final int MAX_ATTEMPTS = 3;

  /** A project and what the strategy saw of it. */
  public record Considered(String project, String figures) {}

  /** What is kept of the latest attempts, oldest first. */
  static List<PastDecision> of(
      SchedulerView view,
      TaskId task,
      List<AttemptRecord> attempts,
      NodeNames names,
      long nowMillis) {
    List<DecisionView> own = attempts.isEmpty() ? List.of() : view.decisions(task, nowMillis);
    List<PastDecision> all = new ArrayList<>();
    for (int i = Math.max(0, attempts.size() - MAX_ATTEMPTS); i < attempts.size(); i++) {
      AttemptRecord attempt = attempts.get(i);
      DecisionView decision =
          own.stream()
              .filter(kept -> kept.attempt() == attempt.number())
              .reduce((first, last) -> last)
              .orElseGet(
                  () ->
                      view.decisionNear(
                          task.job(), attempt.node(), attempt.startedMillis(), nowMillis));
      if (decision != null) {
        all.add(of(attempt, decision, names));
      }
    }
    return all;
  }

  private static PastDecision of(AttemptRecord attempt, DecisionView decision, NodeNames names) {
    return new PastDecision(
        attempt.number(),
        names.of(attempt.agent()),
        decision.task().toString(),
        Times.iso(decision.atMillis()),
        decision.why(),
        decision.strategy(),
        decision.candidates(),
        decision.fitting(),
        decision.idleNodes(),
        decision.reputation(),
        decision.uptimeMinutes(),
        decision.considered().stream()
            .map(project -> new Considered(project.project().toString(), project.figures()))
            .toList());
  }

  /** For people; other tasks of the job are named. */
  List<String> inWords(TaskId id) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Attempt %d went to %s at %s: %s%s."
            .formatted(
                attempt,
                node,
                at,
                why,
                task.equals(id.toString())
                    ? ""
                    : " (recorded for task %s, which went there at about that time)"
                        .formatted(task)));
    lines.add(
        String.format(
            Locale.ROOT,
            "  The machine was up for %.0f min with a reputation of %.2f; machines without work:"
                + " %d.",
            uptimeMinutes,
            reputation,
            idleNodes));
    considered.forEach(
        project -> lines.add("  %s: %s".formatted(project.project, project.figures)));
    if (candidates > considered.size() && !considered.isEmpty()) {
      lines.add("  and %d more projects".formatted(candidates - considered.size()));
    }
    if (fitting > candidates) {
      lines.add(
          "  %d others had work for it, but it was not their users' turn"
              .formatted(fitting - candidates));
    }
    return lines;
  }
}
