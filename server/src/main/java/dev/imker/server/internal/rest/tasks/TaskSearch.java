package dev.imker.server.internal.rest.tasks;

import dev.imker.model.BlobId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.StageIndex;
import dev.imker.server.commands.Await;
import dev.imker.server.internal.rest.nodes.NodeNames;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Searches tasks of a job by what they were given, where they ran, how they ended, and what they
 * wrote. A search takes a bounded time: a page may have fewer tasks than it may hold, or none, and
 * still tell where the search goes on.
 */
public record TaskSearch(SchedulerLoop loop, Reads reads, BlobStore blobs) {
  private static final int PORTION = 500;
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int MAX_TEXT_BYTES = 4 << 20;
  private static final TaskState[] STATES = TaskState.values();

  /** One search. */
  record Question(TaskFilter filter, Set<TaskState> states, int from, int limit, boolean output) {}

  TaskPages.Page page(
      TaskViews views, JobRecord job, StageIndex stages, NodeNames names, Question question)
      throws IOException, InterruptedException {
    byte[] live =
        Await.answer(
                loop.ask(pool -> Optional.ofNullable(pool.scheduler().view().states(job.id()))))
            .orElse(null);
    long deadline = System.nanoTime() + MAX_NANOS;
    List<TaskView> found = new ArrayList<>();
    int at = question.from;
    while (at < job.taskCount() && System.nanoTime() < deadline) {
      Portion portion = portion(job, stages, live, question, at);
      for (int index : portion.indexes) {
        TaskRecord row = portion.rows.get(index);
        boolean fits = row == null ? !question.filter.needsRow() : passes(row, question, names);
        if (fits) {
          found.add(
              row == null
                  ? views.untouched(index, state(live, index))
                  : views.view(row, row.last(), question.output, null));
        }
        if (found.size() == question.limit) {
          return new TaskPages.Page(found, index + 1 < job.taskCount() ? index + 2 : null);
        }
      }
      at = portion.next;
    }
    return new TaskPages.Page(found, at < job.taskCount() ? at + 1 : null);
  }

  /** Tasks to look at, those of them that have a row, and where the next ones begin. */
  private record Portion(List<Integer> indexes, Map<Integer, TaskRecord> rows, int next) {}

  /** Of a settled job whose parameters do not matter, the database finds the states. */
  private Portion portion(
      JobRecord job, StageIndex stages, byte @Nullable [] live, Question question, int from) {
    boolean withText = question.output || !question.filter.text().isEmpty();
    List<Integer> indexes = new ArrayList<>();
    Map<Integer, TaskRecord> rows = new HashMap<>();
    if (live == null && question.filter.params().isEmpty()) {
      for (TaskRecord row :
          reads.tasks(new TaskQuery(job.id(), question.states, from, PORTION, withText))) {
        indexes.add(row.id().index());
        rows.put(row.id().index(), row);
      }
      boolean more = indexes.size() == PORTION;
      return new Portion(indexes, rows, more ? indexes.getLast() + 1 : job.taskCount());
    }
    int index = from;
    for (; index < job.taskCount() && indexes.size() < PORTION; index++) {
      boolean state =
          live == null || question.states.isEmpty() || question.states.contains(state(live, index));
      if (state && question.filter.hasParams(stages, index)) {
        indexes.add(index);
      }
    }
    for (TaskRecord row : reads.tasks(job.id(), indexes, withText)) {
      rows.put(row.id().index(), row);
    }
    return new Portion(indexes, rows, index);
  }

  private static TaskState state(byte @Nullable [] live, int index) {
    return live == null ? TaskState.READY : STATES[live[index]];
  }

  private boolean passes(TaskRecord task, Question question, NodeNames names) throws IOException {
    if (!question.filter.passes(task, question.states, names)) {
      return false;
    }
    String text = question.filter.text();
    if (text.isEmpty()) {
      return true;
    }
    AttemptReport report = task.last() == null ? null : task.last().report();
    return report != null && (has(report.stderr(), text) || has(report.stdout(), text));
  }

  /** Capitals do not matter. */
  private boolean has(CapturedOutput output, String text) throws IOException {
    BlobId blob = output.blob();
    byte[] content = output.inline();
    if (blob != null) {
      if (!blobs.has(blob)) {
        return false;
      }
      try (InputStream in = blobs.open(blob, Math.max(0, output.size() - MAX_TEXT_BYTES))) {
        content = in.readAllBytes();
      }
    }
    return new String(content, StandardCharsets.UTF_8)
        .toLowerCase(Locale.ROOT)
        .contains(text.toLowerCase(Locale.ROOT));
  }
}
