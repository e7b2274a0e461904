package dev.imker.server.internal.rest.jobs;

import dev.imker.model.JobId;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.TaskLimits;
import dev.imker.model.job.TaskRules;
import dev.imker.model.validation.JobLimits;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.http.ApiException;
import dev.imker.server.internal.rest.request.JsonFields;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The changeable properties of a job while its tasks are queued or running.
 *
 * @param priority null leaves it as it is
 * @param limits null leaves them as they are
 * @param named fields that are to change
 */
record JobChange(
    @Nullable Integer priority, @Nullable UnaryOperator<TaskRules> limits, Set<String> named) {
  static final Set<String> FIELDS =
      Set.of("priority", "maxFailures", "maxRuntimeMillis", "pin", "atMost");
  private static final Set<String> LIMITS =
      Set.of("maxFailures", "maxRuntimeMillis", "pin", "atMost");

  static JobChange read(JsonFields body) {
    if (FIELDS.stream().noneMatch(body::has)) {
      throw ApiException.invalid(
          "", "Name what to change: priority, maxFailures, maxRuntimeMillis, atMost or pin.");
    }
    return new JobChange(
        body.has("priority") ? (int) body.number("priority", 0, 9) : null,
        LIMITS.stream().anyMatch(body::has) ? limits(body) : null,
        FIELDS.stream().filter(body::has).collect(Collectors.toUnmodifiableSet()));
  }

  /** What the change makes of rules; a limit that is not named stays. */
  private static UnaryOperator<TaskRules> limits(JsonFields body) {
    TaskRules usual = TaskRules.USUAL;
    int failures = (int) body.number("maxFailures", usual.maxFailures(), 1, JobLimits.MAX_FAILURES);
    long runtime =
        body.number("maxRuntimeMillis", usual.maxRuntimeMillis(), 0, JobLimits.MAX_RUNTIME_MILLIS);
    String pin = body.text("pin", "");
    int atMost = (int) body.number("atMost", 0, 0, JobSpec.MAX_TASKS);
    return rules ->
        rules.with(
            draft -> {
              draft.maxFailures = body.has("maxFailures") ? failures : draft.maxFailures;
              draft.maxRuntimeMillis =
                  body.has("maxRuntimeMillis") ? runtime : draft.maxRuntimeMillis;
              draft.pin = body.has("pin") ? pin : draft.pin;
              // Tasks that start together cannot be held back one by one.
              draft.atMost = body.has("atMost") && !draft.gang ? atMost : draft.atMost;
            });
  }

  /** Without a priority that the job has already. */
  JobChange unless(int present) {
    return priority != null && priority == present ? new JobChange(null, limits, named) : this;
  }

  /** Answers how many tasks it may matter to. */
  CompletableFuture<Integer> apply(JobCommands commands, JobId job) {
    CompletableFuture<Integer> first =
        priority == null
            ? CompletableFuture.completedFuture(0)
            : commands.prioritise(job, priority);
    CompletableFuture<Integer> both =
        limits == null
            ? first
            : first.thenCombine(commands.limit(job, limits), (one, other) -> other);
    return both.thenCombine(
        commands.unlimitTasks(job, this::without, 0), (changed, none) -> changed);
  }

  private TaskLimits without(TaskLimits own) {
    return own.without(
        named.contains("priority"),
        named.contains("maxFailures"),
        named.contains("maxRuntimeMillis"),
        named.contains("pin"));
  }

  /** What single tasks get, both ends included, counted from one. */
  TaskLimits of(int from, int to) {
    if (named.contains("atMost")) {
      throw ApiException.invalid(
          "atMost",
          "The number of tasks that run at once can only be set for a whole job: name the"
              + " job.");
    }
    TaskRules rules = limits == null ? TaskRules.USUAL : limits.apply(TaskRules.USUAL);
    return new TaskLimits(
        from - 1,
        to,
        priority,
        named.contains("maxFailures") ? rules.maxFailures() : null,
        named.contains("maxRuntimeMillis") ? rules.maxRuntimeMillis() : null,
        named.contains("pin") ? rules.pin() : null);
  }
}
