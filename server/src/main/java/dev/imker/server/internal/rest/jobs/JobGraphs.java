package dev.imker.server.internal.rest.jobs;

import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import dev.imker.server.commands.Await;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.Reads;
import dev.imker.store.RunRecord;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts the tasks of a job by stage, without holding up the loop for long. */
public record JobGraphs(SchedulerLoop loop, Reads reads) {
  /** Tasks that the loop is asked for at once. */
  private static final int SLICE = 50_000;

  /** Tasks that are read from disk for it. */
  private static final int MAX_READ = 20_000;

  private static final int MAX_RUNS = 2_000;
  private static final int MAX_COMMAND_CHARS = 300;

  JobGraphView of(JobId job, int[] jobCounts) throws InterruptedException {
    JobSpec spec = reads.spec(job).orElseThrow(() -> JobViews.unknown(job));
    int[] skipped = new int[spec.stages().size()];
    int @Nullable [][] counts = counts(job, spec, jobCounts, skipped);
    long[][] runs = runs(job, spec);
    List<JobGraphView.StageView> stages = new ArrayList<>();
    int first = 1;
    for (int i = 0; i < spec.stages().size(); i++) {
      Stage stage = spec.stages().get(i);
      stages.add(
          new JobGraphView.StageView(
              stage.name(),
              first,
              (int) stage.taskCount(),
              command(stage),
              stage.paramNames(),
              counts == null ? null : CountsView.of(counts[i]).withSkipped(skipped[i]),
              runs[i][0] == 0 ? null : runs[i][1] / runs[i][0],
              StageGraph.predecessors(stage).stream()
                  .map(
                      a ->
                          new JobGraphView.AfterView(
                              a.stage(), a.matching().name(), a.tasks(), a.data()))
                  .toList()));
      first += (int) stage.taskCount();
    }
    return new JobGraphView(stages);
  }

  private static String command(Stage stage) {
    String line = String.join(" ", stage.command());
    return line.length() <= MAX_COMMAND_CHARS ? line : line.substring(0, MAX_COMMAND_CHARS) + "…";
  }

  /** By stage: how many runs, and how long they took together. */
  private long[][] runs(JobId job, JobSpec spec) {
    long[][] sums = new long[spec.stages().size()][2];
    for (RunRecord run : reads.runs(job, MAX_RUNS)) {
      long[] sum = sums[spec.stageNumberOf(run.task().index())];
      sum[0]++;
      sum[1] += run.runMillis();
    }
    return sums;
  }

  private int @Nullable [][] counts(JobId job, JobSpec spec, int[] jobCounts, int[] skipped)
      throws InterruptedException {
    if (spec.stages().size() == 1) {
      return new int[][] {jobCounts};
    }
    int[][] counts = new int[spec.stages().size()][TaskState.values().length];
    if (JobStatus.of(jobCounts) == JobStatus.DONE) {
      for (int i = 0; i < counts.length; i++) {
        counts[i][TaskState.DONE.ordinal()] = (int) spec.stages().get(i).taskCount();
      }
      return counts;
    }
    return countLive(job, spec, counts, skipped) || countRead(job, spec, counts, skipped)
        ? counts
        : null;
  }

  private boolean countLive(JobId job, JobSpec spec, int[][] counts, int[] skipped)
      throws InterruptedException {
    int first = 0;
    for (int i = 0; i < counts.length; i++) {
      int end = first + (int) spec.stages().get(i).taskCount();
      int[] target = counts[i];
      for (int from = first; from < end; from += SLICE) {
        int sliceFrom = from;
        int to = Math.min(end, from + SLICE);
        int never = Await.answer(loop.ask(pool -> count(pool, job, sliceFrom, to, target)));
        if (never < 0) {
          Arrays.fill(skipped, 0);
          return false;
        }
        skipped[i] += never;
      }
      first = end;
    }
    return true;
  }

  /** How many of them never ran and failed all the same; -1 if the job is not in memory. */
  private static int count(PoolState pool, JobId job, int from, int to, int[] counts) {
    if (pool.job(job) == null) {
      return -1;
    }
    int skipped = 0;
    for (int i = from; i < to; i++) {
      TaskId task = new TaskId(job, i);
      TaskState state = pool.scheduler().view().state(task);
      counts[state == null ? TaskState.READY.ordinal() : state.ordinal()]++;
      if (state == TaskState.FAILED && pool.scheduler().view().tries(task) == 0) {
        skipped++;
      }
    }
    return skipped;
  }

  /** A job that is no longer in memory has ended: every task of it has a row. */
  private boolean countRead(JobId job, JobSpec spec, int[][] counts, int[] skipped) {
    for (int[] count : counts) {
      Arrays.fill(count, 0);
    }
    List<TaskRecord> rows = reads.tasks(new TaskQuery(job, Set.of(), 0, MAX_READ, false));
    for (TaskRecord row : rows) {
      int stage = spec.stageNumberOf(row.id().index());
      counts[stage][row.state().ordinal()]++;
      if (row.state() == TaskState.FAILED && row.last() == null) {
        skipped[stage]++;
      }
    }
    return rows.size() < MAX_READ;
  }
}
