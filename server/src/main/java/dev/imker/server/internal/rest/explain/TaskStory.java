package dev.imker.server.internal.rest.explain;

import static java.util.stream.Collectors.joining;

import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.After;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import dev.imker.server.internal.rest.nodes.NodeNames;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.store.AttemptRecord;
import dev.imker.store.TaskRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes how a task reached its state, as far as this follows from its attempts. */
final class TaskStory {
  private final Stage stage;
  private final @Nullable TaskRecord task;
  private final List<AttemptRecord> attempts;
  private final NodeNames names;

  TaskStory(Stage stage, @Nullable TaskRecord task, List<AttemptRecord> attempts, NodeNames names) {
    this.stage = stage;
    this.task = task;
    this.attempts = attempts;
    this.names = names;
  }

  List<String> tell(String id, TaskState state) {
    List<String> lines = new ArrayList<>();
    switch (state) {
      case WAITING -> lines.addAll(waiting());
      case READY -> lines.addAll(past());
      case RUNNING -> lines.addAll(running());
      case DONE -> lines.add("It is done: " + lastEnd() + ".");
      case FAILED -> {
        String reason = task == null ? "" : task.reason();
        lines.add("It failed permanently: " + (reason.isEmpty() ? lastEnd() : reason) + ".");
        lines.add(again(id));
      }
      case BLOCKED ->
          lines.add("Somebody is holding it back. 'imker release " + id + "' releases it.");
      case AUTO_BLOCKED -> {
        lines.addAll(past());
        lines.add(
            "That is too often (limit: "
                + stage.rules().maxFailures()
                + (stage.rules().maxFailures() == 1 ? " failure). " : " failures). ")
                + again(id));
      }
      case CANCELLED -> lines.add("It was cancelled. " + again(id));
    }
    return lines;
  }

  private List<String> waiting() {
    List<String> lines = new ArrayList<>(past());
    for (After after : StageGraph.predecessors(stage)) {
      String what =
          after.awaitsData()
              ? "It is waiting for data '%s', which no job of this user has published yet."
                  .formatted(after.data())
              : after.stage().isEmpty()
                  ? "It is waiting for all of these tasks: "
                      + after.tasks()
                      + (after.data().isEmpty() ? "" : " (data '" + after.data() + "')")
                      + "."
                  : switch (after.matching()) {
                    case ALL -> "It is waiting for all tasks of stage '" + after.stage() + "'.";
                    case EACH ->
                        "It is waiting for the task at the same position in '"
                            + after.stage()
                            + "'.";
                    case PARAMS ->
                        "It is waiting for the tasks of '"
                            + after.stage()
                            + "' with the same parameters.";
                  };
      lines.add(after.any() ? what + " Whether they succeed does not matter." : what);
    }
    if (task != null && task.failures() > 0 && stage.rules().backoffMillis() > 0) {
      lines.add("It is backing off before its next attempt.");
    }
    return lines;
  }

  private static String again(String id) {
    return "'imker release " + id + "' tries it again.";
  }

  private List<String> running() {
    List<String> lines = new ArrayList<>();
    for (AttemptRecord attempt : attempts) {
      if (attempt.report() == null) {
        lines.add(
            "Attempt %d has been with %s since %s."
                .formatted(attempt.number(), place(attempt), Times.iso(attempt.startedMillis())));
      }
    }
    return lines;
  }

  private List<String> past() {
    if (task == null || task.failures() + task.losses() == 0) {
      return List.of();
    }
    return List.of(
        "It %s; last: %s."
            .formatted(
                Stream.of(often("failed", task.failures()), often("was lost", task.losses()))
                    .filter(words -> !words.isEmpty())
                    .collect(joining(" and ")),
                lastEnd()));
  }

  private static String often(String what, int times) {
    return switch (times) {
      case 0 -> "";
      case 1 -> what + " once";
      default -> what + " " + times + " times";
    };
  }

  private String lastEnd() {
    for (AttemptRecord attempt : attempts.reversed()) {
      AttemptReport report = attempt.report();
      if (report != null) {
        return "attempt %d %s on %s%s"
            .formatted(
                attempt.number(),
                report.outcome().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                place(attempt),
                end(report));
      }
    }
    return "without an attempt";
  }

  private static String end(AttemptReport report) {
    StringBuilder text = new StringBuilder();
    if (report.startedMillis() > 0) {
      double seconds = report.runMillis() / 1000.0;
      text.append(String.format(Locale.ROOT, " after %.1f s", seconds));
      if (report.pausedMillis() > 0) {
        text.append(
            String.format(
                Locale.ROOT, " (paused for another %.1f)", report.pausedMillis() / 1000.0));
      }
      text.append(" with exit code ").append(report.exitCode());
    }
    return report.error().isEmpty() ? text.toString() : text + " (" + report.error() + ")";
  }

  private String place(AttemptRecord attempt) {
    return names.of(attempt.agent());
  }
}
