package dev.imker.server.internal.rest.changes;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What became of a task, with the bytes it wrote; or, without a number, that a whole job settled.
 *
 * @param key the Idempotency-Key that the job was submitted with
 * @param number of the task, or the first of several that share their fate
 * @param last number of the last of them
 * @param stdout what it wrote, in base64; absent if it is a blob, which {@code stdoutBlob} says
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OutcomeView(
    @Nullable String key,
    long job,
    @Nullable Integer number,
    @Nullable Integer last,
    String state,
    byte @Nullable [] stdout,
    @Nullable Boolean stdoutBlob,
    @Nullable String error) {
  OutcomeView withoutOutput() {
    return new OutcomeView(key, job, number, last, state, null, null, error);
  }

  boolean isOfJob() {
    return number == null;
  }
}
