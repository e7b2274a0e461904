package dev.imker.server.internal.rest.jobs;

import dev.imker.model.JobStatus;
import dev.imker.server.http.Exchange;
import dev.imker.store.JobFilter;
import dev.imker.store.JobOrder;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Jobs in the order of a figure that has no index, because it changes with every task: the newest
 * of them are read and sorted, as many as anybody may want to look through.
 */
final class RankedJobs {
  static final int MAX = 10_000;

  /** What changes while a job is worked on, or is not kept in one column. */
  enum Figure {
    STATUS,
    PROGRESS,
    DONE,
    FAILED,
    PROJECT,
    PRIORITY,
    SUBMITTED;

    private Comparator<JobView> order() {
      return switch (this) {
        case STATUS -> Comparator.comparing(job -> JobStatus.valueOf(job.status()));
        case PROGRESS ->
            Comparator.comparingDouble(job -> (double) job.counts().done() / job.tasks());
        case DONE -> Comparator.comparingLong(job -> job.counts().done());
        case FAILED -> Comparator.comparingLong(job -> job.counts().failedThemselves());
        case PROJECT -> Comparator.comparing(JobView::user).thenComparing(JobView::project);
        case PRIORITY -> Comparator.comparingInt(JobView::priority);
        case SUBMITTED -> Comparator.comparingLong(JobView::id);
      };
    }
  }

  /** A figure, and whether the greatest comes first. */
  record Order(Figure figure, boolean descending) {
    /** The order asked for, if it is one of these. */
    static Optional<Order> read(Exchange exchange) {
      String text = exchange.query("sort").orElse("").strip().toUpperCase(Locale.ROOT);
      boolean descending = text.startsWith("-");
      String name = descending ? text.substring(1) : text;
      for (Figure figure : Figure.values()) {
        if (figure.name().equals(name)) {
          return Optional.of(new Order(figure, descending));
        }
      }
      return Optional.empty();
    }
  }

  private RankedJobs() {}

  /** A part of them; the cursor of the next one is its position. */
  static JobViews.Page page(JobViews views, JobFilter filter, Order order, int offset, int limit)
      throws InterruptedException {
    Comparator<JobView> ranking =
        order.descending ? order.figure.order().reversed() : order.figure.order();
    List<JobView> all =
        views.page(filter, JobOrder.NEWEST, null, MAX).jobs().stream().sorted(ranking).toList();
    int from = Math.min(offset, all.size());
    int to = Math.min(all.size(), from + limit);
    String next = to < all.size() ? Integer.toString(to) : null;
    return new JobViews.Page(all.subList(from, to), null, next);
  }
}
