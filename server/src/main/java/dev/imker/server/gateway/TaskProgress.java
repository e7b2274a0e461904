package dev.imker.server.gateway;

import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.TaskId;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * How far running tasks say that they have come. Kept in memory only: it is soon told again. Of too
 * many, those that were silent for longest are forgotten.
 */
public final class TaskProgress {
  private static final int MAX = 100_000;
  private static final int MAX_TEXT_CHARS = 1_000;

  /**
   * What a task said last.
   *
   * @param fraction from 0 to 1
   */
  public record Said(double fraction, String text) {}

  private record Word(Lease lease, Said said) {}

  private final LinkedHashMap<TaskId, Word> words = new LinkedHashMap<>();

  /** The sum of the fractions of a job's tasks, and what was said last. */
  private final Map<JobId, Said> sums = new HashMap<>();

  private volatile Consumer<JobId> onNews = job -> {};

  /** Told of each job of which a task has said something new. */
  public void onNews(Consumer<JobId> listener) {
    onNews = listener;
  }

  void said(Lease lease, double fraction, String text) {
    keep(lease, fraction, text);
    onNews.accept(lease.task().job());
  }

  private synchronized void keep(Lease lease, double fraction, String text) {
    double bounded = Double.isNaN(fraction) ? 0 : Math.clamp(fraction, 0, 1);
    String words = text.substring(0, Math.min(text.length(), MAX_TEXT_CHARS));
    forget(lease.task());
    if (this.words.size() >= MAX) {
      forget(this.words.firstEntry().getKey());
    }
    this.words.put(lease.task(), new Word(lease, new Said(bounded, words)));
    Said sum = sums.getOrDefault(lease.task().job(), new Said(0, ""));
    sums.put(lease.task().job(), new Said(sum.fraction + bounded, words));
  }

  synchronized void ended(Lease lease) {
    Word word = words.get(lease.task());
    if (word != null && word.lease.equals(lease)) {
      forget(lease.task());
    }
  }

  private void forget(TaskId task) {
    Word word = words.remove(task);
    if (word != null) {
      Said sum = sums.getOrDefault(task.job(), word.said);
      double left = sum.fraction - word.said.fraction;
      sums.put(task.job(), new Said(Math.max(0, left), sum.text));
      if (left < 1e-9) {
        sums.remove(task.job());
      }
    }
  }

  public synchronized Optional<Said> of(Lease lease) {
    Word word = words.get(lease.task());
    return word != null && word.lease.equals(lease) ? Optional.of(word.said) : Optional.empty();
  }

  /**
   * How far a job is, counting what its running tasks say; empty if none of them does.
   *
   * @param settled how many of its tasks are at their end
   */
  public synchronized Optional<Said> ofJob(JobId job, int settled, int running, int tasks) {
    Said sum = sums.get(job);
    return sum == null || running == 0
        ? Optional.empty()
        : Optional.of(
            new Said((settled + Math.min(sum.fraction, running)) / Math.max(1, tasks), sum.text));
  }
}
