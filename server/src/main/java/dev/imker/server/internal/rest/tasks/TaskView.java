package dev.imker.server.internal.rest.tasks;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.imker.server.gateway.TaskProgress;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A task for callers. Figures are those of its last attempt.
 *
 * @param stage name of its group in the job; empty if there is only one
 * @param priority its own or that of its job; 0 if it was held back after too many failures
 * @param changed when it came into its state: of one that is done, when its result was committed
 * @param stdoutText only where it was asked for, is small enough to be inline, and is UTF-8
 * @param saved files of its newest checkpoint, which can be fetched like results; only of one that
 *     is not settled
 * @param progress what it said last of how far it has come; only of one that runs and says so
 * @param own only of a task with limits of its own
 * @param rechecked why its result was made again on another node, and, of a single task that is
 *     done, what came of it
 * @param attemptHistory only of a single task
 */
public record TaskView(
    String id,
    long job,
    int number,
    String stage,
    String state,
    int priority,
    Map<String, String> params,
    int attempts,
    int failures,
    int losses,
    @Nullable String node,
    @Nullable String agent,
    @Nullable String started,
    @Nullable String ended,
    @Nullable String changed,
    @Nullable Integer exitCode,
    @Nullable Long cpuMillis,
    @Nullable Long peakMemoryBytes,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long pausedMillis,
    Output stdout,
    Output stderr,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String stdoutText,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String stderrText,
    List<Result> results,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Result> saved,
    String error,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String rechecked,
    @JsonInclude(JsonInclude.Include.NON_NULL) TaskProgress.@Nullable Said progress,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Own own,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Attempt> attemptHistory) {
  /** Limits that were changed for this task alone; the others are those of its job. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Own(
      @Nullable Integer priority,
      @Nullable Integer maxFailures,
      @Nullable Long maxRuntimeMillis,
      @Nullable String pin) {}

  /** What was written to a stream. */
  public record Output(long size) {}

  /** A file that came out. */
  public record Result(String path, long size, String sha256, boolean executable) {}

  /**
   * One attempt.
   *
   * @param outcome null while it runs
   */
  public record Attempt(
      int number,
      String node,
      String agent,
      String leased,
      @Nullable String started,
      @Nullable String ended,
      @Nullable String outcome,
      @Nullable Integer exitCode,
      @Nullable Long cpuMillis,
      @Nullable Long peakMemoryBytes,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long pausedMillis,
      Had had,
      String error) {}

  /**
   * What an attempt was given of its machine and of the pool while it ran.
   *
   * @param alternative which of the alternatives of its needs, from 1; null if there is only one
   * @param amounts by name; memory and disk in bytes
   * @param items of what has pieces of its own (GPUs, named resources): which ones
   */
  public record Had(
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer alternative,
      Map<String, Number> amounts,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, List<String>> items) {}
}
