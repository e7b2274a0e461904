package dev.imker.server.internal.rest.tasks;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.TaskLimits;
import dev.imker.server.gateway.TaskProgress;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.jobs.JobRoutes;
import dev.imker.server.internal.rest.jobs.JobViews;
import dev.imker.server.internal.rest.nodes.NodeDirectory;
import dev.imker.server.internal.rest.request.Choices;
import dev.imker.server.internal.rest.request.Sorting;
import dev.imker.store.AttemptRecord;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskRecord;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/v1/jobs/ID/tasks} and {@code /api/v1/tasks/JOB.N}.
 *
 * @param limits what single tasks of a job have of their own
 * @param checkpoints what attempts of a task have saved
 */
public record TaskRoutes(
    TaskPages pages,
    TaskSearch search,
    Layouts layouts,
    NodeDirectory nodes,
    Reads reads,
    TaskProgress progress,
    Function<JobId, List<TaskLimits>> limits,
    Function<TaskId, List<InputFile>> checkpoints) {
  private static final Pattern TASK = Pattern.compile("([1-9][0-9]{0,17})\\.([1-9][0-9]{0,8})");

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/jobs/{id}/tasks", Access.LOOK, this::list),
        Endpoint.get("/api/v1/tasks/{task}", Access.LOOK, this::show));
  }

  public static TaskId taskId(Exchange exchange) {
    String text = exchange.param("task");
    Matcher matcher = TASK.matcher(text);
    if (!matcher.matches()) {
      throw ApiException.invalid(
          "task", "'" + text + "' is not a task; 12.3 is the third of job 12.");
    }
    return TaskId.of(Long.parseLong(matcher.group(1)), Integer.parseInt(matcher.group(2)) - 1);
  }

  /** The job of a task; complains if there is no such task. */
  public static JobRecord requireTask(Reads reads, TaskId task) {
    JobRecord job = reads.job(task.job()).orElseThrow(() -> JobViews.unknown(task.job()));
    if (task.index() >= job.taskCount()) {
      throw ApiException.notFound(
          "Job %s has no task %d; its last one is %d."
              .formatted(task.job(), task.index() + 1L, job.taskCount()));
    }
    return job;
  }

  private void list(Exchange exchange) throws IOException, InterruptedException {
    JobId id = JobRoutes.jobId(exchange);
    JobRecord job = reads.job(id).orElseThrow(() -> JobViews.unknown(id));
    TaskFilter filter = TaskFilter.read(exchange);
    if (!filter.isEmpty()) {
      search(exchange, job, filter);
      return;
    }
    Sorting<TaskOrder.Key> sorting = Sorting.read(exchange, TaskOrder.Key.class, "number");
    TaskPages.Question question =
        new TaskPages.Question(
            Choices.parseAll(TaskState.class, exchange.query("state").orElse(""), "state"),
            sorting.key(),
            sorting.descending(),
            (int) exchange.queryNumber("from", 1, 1, Integer.MAX_VALUE) - 1,
            (int) exchange.queryNumber("limit", 100, 1, 10_000),
            exchange.queryFlag("output"));
    exchange.json(200, pages.page(views(job), job, question));
  }

  private void search(Exchange exchange, JobRecord job, TaskFilter filter)
      throws IOException, InterruptedException {
    if (exchange.query("sort").filter(sort -> !sort.equals("number")).isPresent()) {
      throw ApiException.invalid("sort", "Search results are ordered by number; remove sort.");
    }
    TaskSearch.Question question =
        new TaskSearch.Question(
            filter,
            Choices.parseAll(TaskState.class, exchange.query("state").orElse(""), "state"),
            (int) exchange.queryNumber("from", 1, 1, Integer.MAX_VALUE) - 1,
            (int) exchange.queryNumber("limit", 100, 1, 10_000),
            exchange.queryFlag("output"));
    exchange.json(
        200, search.page(views(job), job, layouts.require(job.id()), nodes.names(), question));
  }

  TaskViews views(JobRecord job) throws InterruptedException {
    return new TaskViews(
        job,
        layouts.require(job.id()),
        nodes.names(),
        progress,
        limits.apply(job.id()),
        checkpoints);
  }

  private void show(Exchange exchange) throws IOException, InterruptedException {
    TaskId id = taskId(exchange);
    JobRecord job = requireTask(reads, id);
    TaskViews views = views(job);
    TaskRecord task = reads.task(id).orElse(null);
    if (task == null) {
      exchange.json(200, views.untouched(id.index(), pages.initialState(id)));
      return;
    }
    List<AttemptRecord> attempts = reads.attempts(id);
    AttemptRecord last = task.last() != null ? task.last() : latest(attempts);
    exchange.json(
        200, views.view(task, last, exchange.queryFlag("output"), attempts, reads.granted(id)));
  }

  static @Nullable AttemptRecord latest(List<AttemptRecord> attempts) {
    return attempts.isEmpty() ? null : attempts.getLast();
  }
}
