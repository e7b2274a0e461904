package dev.imker.server.rest;

import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskState;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.loop.BulkCommands;
import dev.imker.server.loop.JobCommands;
import dev.imker.store.JobFilter;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/bulk}: the same for all jobs and tasks that a filter lets pass. */
final class BulkRoutes {
  private static final int MOST_BYTES = 100_000;
  private static final int PAGE = 500;
  private static final Set<JobStatus> OPEN =
      EnumSet.of(JobStatus.WAITING, JobStatus.QUEUED, JobStatus.RUNNING);

  /** What can be asked for. */
  enum Order {
    CANCEL,
    BLOCK,
    RELEASE,
    RETRY,
    PRIORITY;

    JobCommands.@Nullable Action action() {
      return switch (this) {
        case CANCEL -> JobCommands.Action.CANCEL;
        case BLOCK -> JobCommands.Action.BLOCK;
        case RELEASE, RETRY -> JobCommands.Action.RELEASE;
        case PRIORITY -> null;
      };
    }

    /** States of tasks that are meant if nothing else is said. */
    Set<TaskState> states() {
      return switch (this) {
        case CANCEL ->
            EnumSet.of(
                TaskState.WAITING,
                TaskState.READY,
                TaskState.RUNNING,
                TaskState.BLOCKED,
                TaskState.AUTO_BLOCKED);
        case BLOCK -> EnumSet.of(TaskState.WAITING, TaskState.READY, TaskState.RUNNING);
        case RELEASE -> EnumSet.of(TaskState.BLOCKED, TaskState.AUTO_BLOCKED, TaskState.FAILED);
        case RETRY -> EnumSet.of(TaskState.AUTO_BLOCKED, TaskState.FAILED);
        case PRIORITY -> EnumSet.allOf(TaskState.class);
      };
    }

    /** Jobs that may have such tasks. */
    Set<JobStatus> statuses() {
      return switch (this) {
        case CANCEL, BLOCK, PRIORITY -> OPEN;
        case RELEASE, RETRY -> EnumSet.allOf(JobStatus.class);
      };
    }

    /** Whether other states can be asked for: what is cancelled can be run again. */
    boolean takesOthers() {
      return this == RELEASE || this == RETRY;
    }
  }

  /**
   * The answer.
   *
   * @param jobs that had tasks to change
   * @param tasks that were changed; with dryRun, those that would be
   */
  record Changed(int jobs, long tasks) {}

  /** What was asked for. */
  private record Request(
      Order order,
      JobFilter filter,
      Predicate<String> name,
      Set<TaskState> states,
      int priority,
      boolean dryRun) {}

  private final JobCommands commands;
  private final BulkCommands bulk;
  private final Reads reads;

  BulkRoutes(JobCommands commands, BulkCommands bulk, Reads reads) {
    this.commands = commands;
    this.bulk = bulk;
    this.reads = reads;
  }

  List<Endpoint> endpoints() {
    return List.of(Endpoint.post("/api/v1/bulk", Access.ADMIN, this::change));
  }

  private void change(Exchange exchange) throws IOException, InterruptedException {
    JsonFields body =
        JsonFields.of(
            exchange.json(MOST_BYTES), "", Set.of("action", "filter", "priority", "dryRun"));
    exchange.json(200, apply(read(body, null)));
  }

  private static Request read(JsonFields body, @Nullable String onlyUser) {
    Order order = Choices.parse(Order.class, body.text("action"), "action");
    JsonFields filter =
        body.object("filter", Set.of("project", "user", "name", "states", "statuses", "all"));
    Set<TaskState> states = choices(filter, "states", TaskState.class);
    Set<JobStatus> statuses = choices(filter, "statuses", JobStatus.class);
    boolean any =
        filter.has("project")
            || filter.has("user")
            || filter.has("name")
            || !states.isEmpty()
            || !statuses.isEmpty();
    if (!any && !filter.flag("all", false)) {
      throw ApiException.invalid(
          "filter",
          "The filter is empty: give project, user, name, states or statuses; all=true means"
              + " everything.");
    }
    Set<TaskState> wanted = order.states();
    if (!states.isEmpty()) {
      wanted = order.takesOthers() ? states : intersection(states, order.states());
    }
    return new Request(
        order,
        new JobFilter(
            statuses.isEmpty() ? order.statuses() : intersection(statuses, order.statuses()),
            null,
            filter.has("project") ? filter.text("project") : null,
            onlyUser != null ? onlyUser : filter.has("user") ? filter.text("user") : null),
        filter.has("name") ? name(filter.text("name")) : text -> true,
        wanted,
        order == Order.PRIORITY ? (int) body.number("priority", 0, 9) : 0,
        body.flag("dryRun", false));
  }

  private static <E extends Enum<E>> Set<E> choices(
      JsonFields filter, String field, Class<E> type) {
    EnumSet<E> all = EnumSet.noneOf(type);
    filter.texts(field, 20).forEach(text -> all.add(Choices.parse(type, text, filter.at(field))));
    return all;
  }

  private static <E> Set<E> intersection(Set<E> one, Set<E> other) {
    return one.stream()
        .filter(other::contains)
        .collect(java.util.stream.Collectors.toUnmodifiableSet());
  }

  /** Names with * and ?. */
  private static Predicate<String> name(String glob) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
    }
    return Pattern.compile(regex.toString()).asMatchPredicate();
  }

  // ---------------------------------------------------------------- doing it

  private Changed apply(Request request) throws InterruptedException {
    int jobs = 0;
    long tasks = 0;
    boolean nothing = request.filter.statuses().isEmpty() || request.states.isEmpty();
    JobId before = null;
    for (boolean more = !nothing; more; ) {
      List<JobRecord> page = reads.jobs(request.filter, before, PAGE);
      List<CompletableFuture<Integer>> answers = new ArrayList<>();
      for (JobRecord job : page) {
        before = job.id();
        if (request.name.test(job.name())) {
          answers.add(order(request, job.id()));
        }
      }
      for (CompletableFuture<Integer> answer : answers) {
        int changed = Await.answer(answer);
        jobs += changed > 0 ? 1 : 0;
        tasks += changed;
      }
      more = page.size() == PAGE;
    }
    return new Changed(jobs, tasks);
  }

  private CompletableFuture<Integer> order(Request request, JobId job) {
    JobCommands.Action action = request.order.action();
    if (request.dryRun) {
      return bulk.count(job, request.states);
    }
    return action == null
        ? commands.prioritise(job, request.priority)
        : bulk.act(action, job, request.states);
  }
}
