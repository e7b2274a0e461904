package dev.imker.server.gateway;

import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.TaskId;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.Change;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The reported progress of running tasks. Kept in memory only, because it is soon reported again.
 * If there are too many, those silent for longest are dropped.
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

  /** The sum of the fractions of a job's tasks, of how many, and what was said last. */
  private record Sum(int tasks, double fraction, String text) {}

  private final Map<JobId, Sum> sums = new HashMap<>();

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
    Sum sum = sums.getOrDefault(lease.task().job(), new Sum(0, 0, ""));
    sums.put(lease.task().job(), new Sum(sum.tasks + 1, sum.fraction + bounded, words));
  }

  /** Attempts ended, however they did: nothing more is to be expected of them. */
  synchronized void committed(List<Change> changes) {
    for (Change change : changes) {
      if (change instanceof AttemptEnded ended) {
        Word word = words.get(ended.task());
        if (word != null
            && (ended.state().isSettled() || word.lease.token().equals(ended.token()))) {
          forget(ended.task());
        }
      }
    }
  }

  private void forget(TaskId task) {
    Word word = words.remove(task);
    Sum sum = word == null ? null : sums.remove(task.job());
    if (word != null && sum != null && sum.tasks > 1) {
      double left = Math.max(0, sum.fraction - word.said.fraction);
      sums.put(task.job(), new Sum(sum.tasks - 1, left, sum.text));
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
    Sum sum = sums.get(job);
    return sum == null || running == 0
        ? Optional.empty()
        : Optional.of(
            new Said((settled + Math.min(sum.fraction, running)) / Math.max(1, tasks), sum.text));
  }
}
