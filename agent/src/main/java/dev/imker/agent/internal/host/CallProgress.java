package dev.imker.agent.internal.host;

import dev.imker.tasks.values.CallOutcome;
import dev.imker.tasks.values.Failure;
import dev.imker.tasks.values.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The progress of the calls of a run. A call that takes too long ends the run for all of them. */
final class CallProgress {
  static final byte[] WAITS = CallOutcome.WAITS.with(new byte[0]);
  private static final byte[] APART = CallOutcome.APART.with(new byte[0]);
  private static final byte[] NOT_MADE = CallOutcome.NOT_MADE.with(new byte[0]);

  private final int count;
  private final CallRules rules;
  private final int attempt;
  private final long begin = System.nanoTime();
  private final List<byte[]> outcomes = new ArrayList<>();
  private String error = "";
  private boolean givenUp;
  private boolean again;

  /** What the watcher saw last, and for how long. */
  private int watched = -1;

  private long watchedNanos;

  /**
   * @param attempt that this is, of each of the calls
   */
  CallProgress(int count, CallRules rules, int attempt) {
    this.attempt = attempt;
    this.count = count;
    this.rules = rules;
  }

  /** Whether this call has to be executed. */
  synchronized boolean begin(int position) {
    return !givenUp && position < count;
  }

  synchronized void end(int position, byte[] outcome) {
    if (!givenUp && outcomes.size() == position) {
      outcomes.add(outcome);
    }
  }

  /** Whether a call that threw this exception is retried. */
  boolean isRetried(Throwable thrown) {
    return rules.isRetried(thrown, attempt);
  }

  /** The outcome of a call that threw; the only one of its task has the whole task tried again. */
  synchronized byte[] failed(Failure failure, boolean retried) {
    if (error.isEmpty()) {
      error = failure.toString();
    }
    again |= retried && count == 1;
    CallOutcome kind = retried && count > 1 ? CallOutcome.RETRY : CallOutcome.FAILURE;
    return kind.with(Values.encode(failure, "failure"));
  }

  /**
   * Whether the call that is being made takes so long that the run is given up; true only once.
   *
   * @param nanos since this was asked the last time
   */
  synchronized boolean isTooLong(long nanos) {
    int position = outcomes.size();
    watchedNanos = position == watched ? watchedNanos + nanos : 0;
    watched = position;
    long millis = TimeUnit.NANOSECONDS.toMillis(watchedNanos);
    boolean overLimit = rules.limitMillis() > 0 && millis >= rules.limitMillis();
    boolean holdsUpOthers =
        count > 1 && rules.patienceMillis() > 0 && millis >= rules.patienceMillis();
    if (givenUp || position == count || !(overLimit || holdsUpOthers)) {
      return false;
    }
    outcomes.add(overLimit ? overtime() : APART);
    while (outcomes.size() < count) {
      outcomes.add(NOT_MADE);
    }
    givenUp = true;
    return true;
  }

  private byte[] overtime() {
    TimeoutException thrown =
        new TimeoutException(
            "The call exceeded its time limit of " + rules.limitMillis() / 1000.0 + " s.");
    return failed(
        Failure.of(thrown.getClass().getName(), String.valueOf(thrown.getMessage())),
        isRetried(thrown));
  }

  synchronized boolean isGivenUp() {
    return givenUp;
  }

  synchronized Ended ended() {
    return new Ended(
        !again, CallOutcome.report(System.nanoTime() - begin, outcomes), new byte[0], error, 0);
  }
}
