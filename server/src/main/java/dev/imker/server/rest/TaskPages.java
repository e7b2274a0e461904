package dev.imker.server.rest;

import dev.imker.model.JobId;
import dev.imker.model.JobSpec;
import dev.imker.model.Lease;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Pages through the tasks of a job. Tasks that left their initial state have a row on disk and are
 * found by its index; the others exist in memory only, as one state per task. A request looks at a
 * bounded number of tasks: if few of them fit, the page is short and says where to go on.
 */
final class TaskPages {
  private static final int MOST_LOOKED_AT = 1 << 17;

  /** A page; {@code next} is the number of the task where the following one begins. */
  record Page(List<TaskView> tasks, @Nullable Integer next) {}

  /** Tasks without a row that fit, and how far the search got. */
  private record Untouched(Map<Integer, TaskState> states, int end) {}

  private final SchedulerLoop loop;
  private final Reads reads;

  TaskPages(SchedulerLoop loop, Reads reads) {
    this.loop = loop;
    this.reads = reads;
  }

  /** The state of a task that has no row. */
  TaskState initialState(TaskId id) throws InterruptedException {
    return Await.answer(
        loop.ask(
            pool -> {
              TaskState state = pool.job(id.job()) == null ? null : pool.scheduler().state(id);
              return state == TaskState.WAITING ? TaskState.WAITING : TaskState.READY;
            }));
  }

  Page page(
      TaskViews views,
      JobId job,
      JobSpec spec,
      Set<TaskState> wanted,
      int from,
      int limit,
      boolean withOutput)
      throws InterruptedException {
    if (wanted.equals(Set.of(TaskState.RUNNING))) {
      return running(views, job, from, limit, withOutput);
    }
    int tasks = (int) spec.taskCount();
    Set<TaskState> states = wanted.isEmpty() ? EnumSet.allOf(TaskState.class) : wanted;
    boolean untouchedToo = states.contains(TaskState.READY) || states.contains(TaskState.WAITING);
    Untouched memory =
        untouchedToo && from < tasks
            ? Await.answer(loop.ask(pool -> untouched(pool, job, states, from, limit, tasks)))
            : new Untouched(Map.of(), tasks);
    List<TaskRecord> rows =
        from >= tasks
            ? List.of()
            : reads.tasks(new TaskQuery(job, wanted, from, limit, withOutput));
    return merge(views, memory, rows, limit, tasks, withOutput);
  }

  /** The loop knows what runs; on disk it would have to be looked for among all other rows. */
  private Page running(TaskViews views, JobId job, int from, int limit, boolean withOutput)
      throws InterruptedException {
    List<Integer> indexes =
        Await.answer(
            loop.ask(
                pool ->
                    pool.scheduler().agents().stream()
                        .flatMap(agent -> pool.scheduler().leases(agent.agent()).stream())
                        .map(Lease::task)
                        .filter(task -> task.job().equals(job) && task.index() >= from)
                        .map(TaskId::index)
                        .distinct()
                        .sorted()
                        .limit(limit + 1L)
                        .toList()));
    List<TaskView> page = new ArrayList<>();
    for (int index : indexes.subList(0, Math.min(limit, indexes.size()))) {
      reads
          .task(new TaskId(job, index))
          .filter(row -> row.state() == TaskState.RUNNING)
          .ifPresent(row -> page.add(views.view(row, row.last(), withOutput, null)));
    }
    return new Page(page, indexes.size() > limit ? indexes.get(limit) + 1 : null);
  }

  private static Untouched untouched(
      PoolState pool, JobId job, Set<TaskState> states, int from, int limit, int tasks) {
    Map<Integer, TaskState> found = new HashMap<>();
    if (pool.job(job) == null) {
      return new Untouched(found, tasks);
    }
    int end = (int) Math.min(tasks, (long) from + MOST_LOOKED_AT);
    for (int i = from; i < end; i++) {
      TaskState state = pool.scheduler().state(new TaskId(job, i));
      if ((state == TaskState.READY || state == TaskState.WAITING) && states.contains(state)) {
        found.put(i, state);
        if (found.size() == limit) {
          return new Untouched(found, i + 1);
        }
      }
    }
    return new Untouched(found, end);
  }

  private static Page merge(
      TaskViews views,
      Untouched memory,
      List<TaskRecord> rows,
      int limit,
      int tasks,
      boolean withOutput) {
    Map<Integer, TaskView> byIndex = new TreeMap<>();
    memory.states.forEach((index, state) -> byIndex.put(index, views.untouched(index, state)));
    for (TaskRecord row : rows) {
      byIndex.put(row.id().index(), views.view(row, row.last(), withOutput, null));
    }
    int rowsEnd = rows.size() < limit ? tasks : rows.getLast().id().index() + 1;
    int end = Math.min(rowsEnd, memory.end);
    List<TaskView> page = new ArrayList<>();
    for (Map.Entry<Integer, TaskView> entry : byIndex.entrySet()) {
      if (entry.getKey() >= end) {
        break;
      }
      if (page.size() == limit) {
        return new Page(page, entry.getKey() + 1);
      }
      page.add(entry.getValue());
    }
    return new Page(page, end >= tasks ? null : end + 1);
  }
}
