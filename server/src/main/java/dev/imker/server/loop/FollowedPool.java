package dev.imker.server.loop;

import dev.imker.model.ImkerException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of a pool that another server leads, read again when somebody asks and it has become
 * old. Nobody is answered from a state that is older than a second. Reading a large pool takes
 * longer than that, and is done at most half of the time: whoever asks in between is sent away.
 */
final class FollowedPool {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<PoolState> reading;
  private final LongSupplier nanoTime;
  private @Nullable PoolState pool;
  private long begunNanos;
  private long tookNanos;

  FollowedPool(Supplier<PoolState> reading, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.reading = reading;
  }

  /**
   * What is on disk now, or was within the last second.
   *
   * @throws PoolUnavailableException if it has just been read and that takes too long to do it
   *     again
   */
  PoolState get() {
    PoolState present = pool;
    long age = nanoTime.getAsLong() - begunNanos;
    if (present != null && age <= FRESH_NANOS) {
      return present;
    }
    if (present != null && age < 2 * tookNanos) {
      throw new PoolUnavailableException(
          "What this server knows of the pool is %,d ms old. Ask the server that leads, or try again."
              .formatted(TimeUnit.NANOSECONDS.toMillis(age)));
    }
    begunNanos = nanoTime.getAsLong();
    present = reading.get();
    pool = present;
    tookNanos = nanoTime.getAsLong() - begunNanos;
    return present;
  }

  /**
   * Answers all questions that wait, and refuses all changes. Who asks while the pool is read is
   * answered the next time, since a reading of what was before may have taken long.
   */
  void answer(Inbox inbox, Clock clock, TurnOutbox out) {
    List<Command> questions = new ArrayList<>();
    for (int waiting = inbox.size(); waiting > 0; waiting--) {
      Command command = Objects.requireNonNull(inbox.poll());
      if (command.looksOnly()) {
        questions.add(command);
      } else {
        command.failed(new NotLeadingException());
      }
    }
    if (questions.isEmpty()) {
      return;
    }
    PoolState present;
    try {
      present = get();
    } catch (ImkerException e) {
      questions.forEach(question -> question.failed(e));
      return;
    }
    for (Command question : questions) {
      answer(question, present, clock, out);
    }
  }

  private static void answer(Command question, PoolState present, Clock clock, TurnOutbox out) {
    try {
      question.apply(present, clock.millis(), out);
      question.committed();
    } catch (RuntimeException e) {
      question.failed(e);
    } finally {
      out.clear();
    }
  }

  /** The next one who asks gets what is on disk then. */
  void forget() {
    pool = null;
  }
}
