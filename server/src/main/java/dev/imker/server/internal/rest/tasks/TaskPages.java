package dev.imker.server.internal.rest.tasks;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.server.commands.Await;
import dev.imker.server.internal.columns.ColumnKeeper;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Pages through the tasks of a job. Of a job in memory, the loop knows which tasks are in which
 * state, and their rows are fetched by their keys; of other jobs, all tasks have a row on disk and
 * are found by an index. Neither costs more the more tasks there are. For an order by a figure
 * there are columns.
 */
public record TaskPages(SchedulerLoop loop, Reads reads, ColumnKeeper columns) {
  /** A page; {@code next} is the number where the following one begins. */
  public record Page(List<TaskView> tasks, @Nullable Integer next) {}

  /**
   * What is asked for.
   *
   * @param states an empty set lets all pass
   * @param sort null is the order of the numbers
   * @param from position in that order, from zero on; with a sort, among the tasks that pass
   */
  record Question(
      Set<TaskState> states,
      TaskOrder.@Nullable Key sort,
      boolean descending,
      int from,
      int limit,
      boolean withOutput) {}

  /** The state of a task that has no row. */
  TaskState initialState(TaskId id) throws InterruptedException {
    return Await.answer(
        loop.ask(
            pool -> {
              TaskState state =
                  pool.job(id.job()) == null ? null : pool.scheduler().view().state(id);
              return state == TaskState.WAITING ? TaskState.WAITING : TaskState.READY;
            }));
  }

  Page page(TaskViews views, JobRecord job, Question question) throws InterruptedException {
    if (question.from >= job.taskCount()) {
      return new Page(List.of(), null);
    }
    if (question.sort != null) {
      return sorted(views, job, question, question.sort);
    }
    Set<TaskState> states =
        question.states.isEmpty() ? EnumSet.allOf(TaskState.class) : question.states;
    Optional<SortedMap<Integer, TaskState>> live =
        Await.answer(
            loop.ask(
                pool ->
                    Optional.ofNullable(
                        pool.scheduler()
                            .view()
                            .find(job.id(), states, question.from, question.limit + 1))));
    return live.isPresent()
        ? live(views, job.id(), question, live.get())
        : settled(views, job.id(), question);
  }

  /** Tasks may have gone on since the loop was asked: those that no longer fit are left out. */
  private Page live(
      TaskViews views, JobId job, Question question, SortedMap<Integer, TaskState> found) {
    Integer next = found.size() > question.limit ? found.lastKey() : null;
    SortedMap<Integer, TaskState> shown = next == null ? found : found.headMap(next);
    Map<Integer, TaskRecord> rows = rows(job, List.copyOf(shown.keySet()), question.withOutput);
    List<TaskView> page = new ArrayList<>(shown.size());
    shown.forEach(
        (index, state) -> {
          TaskRecord row = rows.get(index);
          if (row == null) {
            page.add(views.untouched(index, state));
          } else if (question.states.isEmpty() || question.states.contains(row.state())) {
            page.add(views.view(row, row.last(), question.withOutput, null));
          }
        });
    return new Page(page, next == null ? null : next + 1);
  }

  private Page settled(TaskViews views, JobId job, Question question) {
    List<TaskRecord> rows =
        reads.tasks(
            new TaskQuery(
                job, question.states, question.from, question.limit + 1, question.withOutput));
    boolean more = rows.size() > question.limit;
    List<TaskView> page = new ArrayList<>(rows.size());
    for (TaskRecord row : more ? rows.subList(0, question.limit) : rows) {
      page.add(views.view(row, row.last(), question.withOutput, null));
    }
    return new Page(page, more ? rows.getLast().id().index() + 1 : null);
  }

  private Page sorted(TaskViews views, JobRecord job, Question question, TaskOrder.Key sort)
      throws InterruptedException {
    byte[] states =
        Await.answer(
                loop.ask(pool -> Optional.ofNullable(pool.scheduler().view().states(job.id()))))
            .orElse(null);
    int[] found =
        new TaskOrder(columns.of(job, states), sort, question.states, question.descending)
            .page(question.from, question.limit + 1);
    boolean more = found.length > question.limit;
    List<Integer> shown = Arrays.stream(found).limit(question.limit).boxed().toList();
    Map<Integer, TaskRecord> rows = rows(job.id(), shown, question.withOutput);
    List<TaskView> page = new ArrayList<>(shown.size());
    for (int index : shown) {
      TaskRecord row = rows.get(index);
      page.add(
          row == null
              ? views.untouched(index, initialState(new TaskId(job.id(), index)))
              : views.view(row, row.last(), question.withOutput, null));
    }
    return new Page(page, more ? question.from + question.limit + 1 : null);
  }

  private Map<Integer, TaskRecord> rows(JobId job, List<Integer> indexes, boolean withOutput) {
    Map<Integer, TaskRecord> rows = new HashMap<>();
    for (TaskRecord row : reads.tasks(job, indexes, withOutput)) {
      rows.put(row.id().index(), row);
    }
    return rows;
  }
}
