package dev.imker.server.internal.rest.request;

import dev.imker.model.recent.RecentMap;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers that take long to find, because all tasks of a job are looked at. Only a few are looked
 * for at a time, and each is kept for some times as long as it took, so that however many people
 * look at a large job, a small part of the server is all that they take.
 */
public final class KeptAnswers {
  private static final int AT_A_TIME = 2;
  private static final int MAX_KEPT = 64;
  private static final int TIMES_AS_LONG = 10;

  /** What is quicker than this is found anew each time. */
  private static final long QUICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);

  /** Finds an answer. */
  @FunctionalInterface
  public interface Search<T> {
    T find() throws IOException, InterruptedException;
  }

  private record Answer(Object value, long untilNanos) {}

  private final Semaphore turns = new Semaphore(AT_A_TIME, true);

  private final Map<Object, Answer> kept = RecentMap.ofNewest(MAX_KEPT);

  /**
   * The answer to a question, perhaps one of a moment ago.
   *
   * @param question a value; what makes the answer another has to be part of it
   */
  public <T> T answer(Object question, Class<T> kind, Search<T> search)
      throws IOException, InterruptedException {
    T known = known(question, kind);
    if (known != null) {
      return known;
    }
    turns.acquire();
    try {
      T meanwhile = known(question, kind);
      if (meanwhile != null) {
        return meanwhile;
      }
      long from = System.nanoTime();
      T found = search.find();
      keep(question, found, System.nanoTime() - from);
      return found;
    } finally {
      turns.release();
    }
  }

  private <T> @Nullable T known(Object question, Class<T> kind) {
    synchronized (kept) {
      Answer answer = kept.get(question);
      if (answer != null && System.nanoTime() - answer.untilNanos < 0) {
        return kind.cast(answer.value);
      }
      kept.remove(question);
      return null;
    }
  }

  private void keep(Object question, Object value, long tookNanos) {
    if (tookNanos < QUICK_NANOS) {
      return;
    }
    long forNanos = Math.min(LONGEST_NANOS, TIMES_AS_LONG * tookNanos);
    synchronized (kept) {
      kept.put(question, new Answer(value, System.nanoTime() + forNanos));
    }
  }
}
