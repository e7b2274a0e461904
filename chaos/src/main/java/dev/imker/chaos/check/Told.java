package dev.imker.chaos.check;

import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import java.util.Arrays;

/**
 * What somebody outside was told.
 *
 * @param who a client; each has its own sequence
 * @param askedMillis when it asked, by its clock
 * @param answeredMillis when it had the answer
 * @param status of the job
 * @param done how many of its tasks are done
 */
public record Told(
    String who, long askedMillis, long answeredMillis, JobId job, String status, int done) {
  /** A client that was told that there is no such job, or ended without an answer. */
  public static Told nothing(String who, long askedMillis, JobId job, String why) {
    return new Told(who, askedMillis, System.currentTimeMillis(), job, why, 0);
  }

  boolean isAnswer() {
    return Arrays.stream(JobStatus.values()).anyMatch(known -> known.name().equals(status));
  }

  boolean isSettled() {
    return isAnswer() && JobStatus.valueOf(status).isSettled();
  }
}
