package dev.imker.server.internal.rest.jobs;

import dev.imker.model.JobStatus;
import dev.imker.model.TaskState;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.http.ApiException;
import dev.imker.server.internal.rest.request.Choices;
import dev.imker.server.internal.rest.request.Glob;
import dev.imker.server.internal.rest.request.JobSpans;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.store.JobFilter;
import dev.imker.store.JobRecord;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done with which work.
 *
 * @param filter for jobs
 * @param name for the names of jobs
 * @param states of tasks; jobs without such a task are left alone
 * @param change what is to be set, where that is asked for
 * @param select selector of the jobs and tasks that are meant; null for any
 * @param among the jobs that may be meant at most, such as those that somebody was told of; null
 *     for any
 * @param nothing whether no job can fit
 */
record BulkOrder(
    Action action,
    JobFilter filter,
    Predicate<String> name,
    Set<TaskState> states,
    @Nullable JobChange change,
    @Nullable String select,
    @Nullable JobSpans among,
    boolean nothing,
    boolean dryRun) {
  /** What can be asked for. */
  enum Action {
    CANCEL,
    BLOCK,
    RELEASE,
    RETRY,
    PRIORITY,
    SET,
    DELETE;

    JobCommands.@Nullable Action ofTasks() {
      return switch (this) {
        case CANCEL -> JobCommands.Action.CANCEL;
        case BLOCK -> JobCommands.Action.BLOCK;
        case RELEASE, RETRY -> JobCommands.Action.RELEASE;
        case PRIORITY, SET, DELETE -> null;
      };
    }

    /** States of tasks that are meant if nothing else is said. */
    private Set<TaskState> states() {
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
        case PRIORITY, SET, DELETE -> EnumSet.allOf(TaskState.class);
      };
    }

    /** As above, of work that was named one by one: what was cancelled is meant as well. */
    private Set<TaskState> namedStates() {
      EnumSet<TaskState> all = EnumSet.copyOf(states());
      if (takesOthers()) {
        all.addAll(EnumSet.of(TaskState.BLOCKED, TaskState.CANCELLED));
      }
      return all;
    }

    /** Jobs that may have such tasks. */
    private Set<JobStatus> statuses() {
      return switch (this) {
        case CANCEL, BLOCK, PRIORITY, SET -> JobStatus.OPEN;
        case RELEASE, RETRY -> EnumSet.allOf(JobStatus.class);
        case DELETE -> EnumSet.complementOf(EnumSet.copyOf(JobStatus.OPEN));
      };
    }

    /** Whether other states can be asked for: what is cancelled can be run again. */
    private boolean takesOthers() {
      return this == RELEASE || this == RETRY;
    }
  }

  /**
   * @param onlyUser whose work alone may be touched; null for everybody's
   */
  static BulkOrder read(JsonFields body, @Nullable String onlyUser) {
    Action action = Choices.parse(Action.class, body.text("action"), "action");
    JsonFields filter =
        body.object(
            "filter",
            Set.of("select", "project", "user", "name", "states", "statuses", "all", "among"));
    String select = filter.has("select") ? filter.text("select") : null;
    Set<TaskState> states = choices(filter, "states", TaskState.class);
    Set<JobStatus> statuses = choices(filter, "statuses", JobStatus.class);
    requireSome(filter, states, statuses);
    Set<TaskState> wanted =
        states.isEmpty() || action.takesOthers()
            ? (states.isEmpty()
                ? (select == null ? action.states() : action.namedStates())
                : states)
            : intersection(states, action.states());
    Set<JobStatus> usual =
        select == null || action == Action.DELETE
            ? action.statuses()
            : EnumSet.allOf(JobStatus.class);
    Set<JobStatus> jobs = statuses.isEmpty() ? usual : intersection(statuses, usual);
    String user = filter.has("user") ? filter.text("user") : onlyUser;
    boolean foreign = onlyUser != null && !onlyUser.equals(user);
    return new BulkOrder(
        action,
        new JobFilter(jobs, null, filter.has("project") ? filter.text("project") : null, user),
        filter.has("name") ? new Glob(filter.text("name")) : text -> true,
        wanted,
        change(action, body),
        select,
        filter.has("among") ? JobSpans.parse(filter.at("among"), filter.text("among")) : null,
        foreign || jobs.isEmpty() || wanted.isEmpty(),
        body.flag("dryRun", false));
  }

  /** Whether nothing of a job is to go on. */
  boolean cancelsAll() {
    return action == Action.CANCEL && states.containsAll(Action.CANCEL.states());
  }

  /** Whether the name of a job fits, and it is one of those that may be meant. */
  boolean isNamed(JobRecord job) {
    return name.test(job.name()) && (among == null || among.has(job.id()));
  }

  /** Whether a job passes the filter; of one with live tasks the store does not know the counts. */
  boolean passes(JobRecord job) {
    return isNamed(job)
        && (filter.project() == null || filter.project().equals(job.project().name()))
        && (filter.user() == null || filter.user().equals(job.project().user()))
        && (job.isSettled()
            ? filter.statuses().contains(job.status())
            : filter.statuses().stream().anyMatch(JobStatus.OPEN::contains));
  }

  private static void requireSome(
      JsonFields filter, Set<TaskState> states, Set<JobStatus> statuses) {
    boolean any =
        filter.has("select")
            || filter.has("project")
            || filter.has("user")
            || filter.has("name")
            || !states.isEmpty()
            || !statuses.isEmpty();
    if (!any && !filter.flag("all", false)) {
      throw ApiException.invalid(
          "filter",
          "The filter is empty: set select, project, user, name, states or statuses;"
              + " all=true means everything.");
    }
  }

  private static @Nullable JobChange change(Action action, JsonFields body) {
    return switch (action) {
      case PRIORITY -> new JobChange((int) body.number("priority", 0, 9), null, Set.of("priority"));
      case SET -> JobChange.read(body.object("set", JobChange.FIELDS));
      case CANCEL, BLOCK, RELEASE, RETRY, DELETE -> null;
    };
  }

  private static <E extends Enum<E>> Set<E> choices(
      JsonFields filter, String field, Class<E> type) {
    EnumSet<E> all = EnumSet.noneOf(type);
    filter.texts(field, 20).forEach(text -> all.add(Choices.parse(type, text, filter.at(field))));
    return all;
  }

  private static <E> Set<E> intersection(Set<E> one, Set<E> other) {
    return one.stream().filter(other::contains).collect(Collectors.toUnmodifiableSet());
  }
}
