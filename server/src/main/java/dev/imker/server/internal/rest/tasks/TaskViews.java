package dev.imker.server.internal.rest.tasks;

import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Doubt;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.StageIndex;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskLimits;
import dev.imker.server.commands.Rechecks;
import dev.imker.server.gateway.TaskProgress;
import dev.imker.server.internal.rest.nodes.NodeNames;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.store.AttemptRecord;
import dev.imker.store.JobRecord;
import dev.imker.store.TaskRecord;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes views of the tasks of one job. */
final class TaskViews {
  /** What the decoder puts in the place of bytes that are not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private final JobId job;
  private final StageIndex stages;
  private final int priority;
  private final NodeNames names;
  private final TaskProgress progress;
  private final List<TaskLimits> limits;
  private final Function<TaskId, List<InputFile>> checkpoints;

  /**
   * @param limits what single tasks have of their own
   * @param checkpoints what attempts of a task have saved
   */
  TaskViews(
      JobRecord job,
      StageIndex stages,
      NodeNames names,
      TaskProgress progress,
      List<TaskLimits> limits,
      Function<TaskId, List<InputFile>> checkpoints) {
    this.checkpoints = checkpoints;
    this.limits = limits;
    this.job = job.id();
    this.stages = stages;
    this.priority = job.priority();
    this.names = names;
    this.progress = progress;
  }

  /** A task that is still as it was submitted. */
  TaskView untouched(int index, TaskState state) {
    TaskRecord record = new TaskRecord(new TaskId(job, index), state, 0, 0, 0, 0, "", null);
    return view(record, null, false, null);
  }

  /**
   * @param last the attempt whose figures are shown
   * @param history all attempts, or null to leave them out
   */
  TaskView view(
      TaskRecord task,
      @Nullable AttemptRecord last,
      boolean withOutput,
      @Nullable List<AttemptRecord> history) {
    return view(task, last, withOutput, history, Map.of());
  }

  /**
   * @param granted what attempts were given, by token; those that are missing had one core
   */
  TaskView view(
      TaskRecord task,
      @Nullable AttemptRecord last,
      boolean withOutput,
      @Nullable List<AttemptRecord> history,
      Map<Long, Granted> granted) {
    AttemptReport report = last == null ? null : last.report();
    AttemptReport run = ran(report);
    CapturedOutput stdout = report == null ? CapturedOutput.NONE : report.stdout();
    CapturedOutput stderr = report == null ? CapturedOutput.NONE : report.stderr();
    return new TaskView(
        task.id().toString(),
        job.value(),
        task.id().index() + 1,
        stages.stageOf(task.id().index()).name(),
        task.state().name(),
        task.state() == TaskState.AUTO_BLOCKED ? 0 : priority(task.id().index()),
        params(task.id().index()),
        task.attempts(),
        task.failures(),
        task.losses(),
        last == null ? null : names.of(last.node()),
        last == null ? null : names.of(last.agent()),
        started(last),
        report == null ? null : Times.isoOrNull(report.endedMillis()),
        Times.isoOrNull(task.changedMillis()),
        run == null ? null : run.exitCode(),
        run == null ? null : run.cpuMillis(),
        run == null ? null : run.peakMemoryBytes(),
        pausedMillis(run),
        new TaskView.Output(stdout.size()),
        new TaskView.Output(stderr.size()),
        withOutput ? text(stdout) : null,
        withOutput ? text(stderr) : null,
        results(report),
        saved(task, history != null),
        error(task, report),
        rechecked(task, report, history),
        last == null || report != null ? null : progress(task.id(), last),
        own(task.id().index()),
        history == null
            ? null
            : history.stream().map(one -> attempt(task.id(), one, granted)).toList());
  }

  private int priority(int index) {
    TaskLimits own = TaskLimits.of(limits, index);
    return own == null || own.priority() == null ? priority : own.priority();
  }

  private TaskView.@Nullable Own own(int index) {
    TaskLimits own = TaskLimits.of(limits, index);
    return own == null
        ? null
        : new TaskView.Own(own.priority(), own.maxFailures(), own.maxRuntimeMillis(), own.pin());
  }

  private TaskProgress.@Nullable Said progress(TaskId task, AttemptRecord running) {
    return progress.of(new Lease(task, running.token())).orElse(null);
  }

  private static String error(TaskRecord task, @Nullable AttemptReport report) {
    String reason = isRechecked(task) ? "" : task.reason();
    return !reason.isEmpty() || report == null ? reason : report.error();
  }

  private static boolean isRechecked(TaskRecord task) {
    return task.reason().startsWith(Doubt.REASON);
  }

  private static @Nullable String rechecked(
      TaskRecord task, @Nullable AttemptReport report, @Nullable List<AttemptRecord> history) {
    if (!isRechecked(task)) {
      return null;
    }
    String why = task.reason().substring(Doubt.REASON.length());
    if (task.state() != TaskState.DONE || report == null || history == null) {
      return why;
    }
    return why
        + (Rechecks.isConfirmed(report, history)
            ? "; another node produced the same result"
            : "; another node produced a different result, which replaces the first");
  }

  /** The report of an attempt that really started. */
  private static @Nullable AttemptReport ran(@Nullable AttemptReport report) {
    return report != null && report.startedMillis() > 0 ? report : null;
  }

  private static @Nullable String started(@Nullable AttemptRecord last) {
    if (last == null) {
      return null;
    }
    AttemptReport report = last.report();
    return report == null
        ? Times.isoOrNull(last.startedMillis())
        : Times.isoOrNull(report.startedMillis());
  }

  /** Null also for bytes that are not text: as a text they would be others. */
  private static @Nullable String text(CapturedOutput output) {
    if (output.blob() != null) {
      return null;
    }
    byte[] bytes = output.inline();
    String text = new String(bytes, StandardCharsets.UTF_8);
    boolean mayDiffer = text.indexOf(REPLACEMENT) >= 0;
    return mayDiffer && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes) ? null : text;
  }

  static List<TaskView.Result> results(@Nullable AttemptReport report) {
    return report == null
        ? List.of()
        : report.results().stream()
            .map(
                file ->
                    new TaskView.Result(
                        file.path(), file.size(), file.blob().sha256(), file.executable()))
            .toList();
  }

  /** Only tasks whose rules say so, and of single ones all, are looked up. */
  private List<TaskView.Result> saved(TaskRecord task, boolean single) {
    boolean may = single || stages.stageOf(task.id().index()).rules().checkpointMillis() > 0;
    return task.state().isSettled() || task.attempts() == 0 || !may
        ? List.of()
        : checkpoints.apply(task.id()).stream()
            .map(
                file ->
                    new TaskView.Result(
                        file.path(), file.size(), file.blob().sha256(), file.executable()))
            .toList();
  }

  private Map<String, String> params(int index) {
    Map<String, String> params = new LinkedHashMap<>();
    List<String> values = stages.params(index);
    List<SweepAxis> axes = stages.stageOf(index).sweep();
    for (int i = 0; i < axes.size(); i++) {
      params.put(axes.get(i).name(), values.get(i));
    }
    return params;
  }

  private TaskView.Attempt attempt(TaskId task, AttemptRecord attempt, Map<Long, Granted> granted) {
    AttemptReport report = attempt.report();
    AttemptReport run = ran(report);
    return new TaskView.Attempt(
        attempt.number(),
        names.of(attempt.node()),
        names.of(attempt.agent()),
        Times.iso(attempt.startedMillis()),
        run == null ? null : Times.iso(run.startedMillis()),
        report == null ? null : Times.isoOrNull(report.endedMillis()),
        report == null ? null : report.outcome().name(),
        run == null ? null : run.exitCode(),
        run == null ? null : run.cpuMillis(),
        run == null ? null : run.peakMemoryBytes(),
        pausedMillis(run),
        had(task, granted.getOrDefault(attempt.token().value(), Granted.ONE_CORE)),
        report == null ? "" : report.error());
  }

  private TaskView.Had had(TaskId task, Granted granted) {
    Map<String, Number> amounts = new LinkedHashMap<>();
    granted
        .amounts()
        .forEach(
            (name, amount) ->
                amounts.put(
                    name,
                    name.equals("memory") || name.equals("disk")
                        ? amount
                        : new BigDecimal(Granted.inWords(amount))));
    boolean chosen = stages.stageOf(task.index()).needs().alternatives().size() > 1;
    return new TaskView.Had(chosen ? granted.variant() + 1 : null, amounts, granted.items());
  }

  /** Null for the many that were never frozen. */
  private static @Nullable Long pausedMillis(@Nullable AttemptReport run) {
    return run == null || run.pausedMillis() == 0 ? null : run.pausedMillis();
  }
}
