package dev.imker.server.rest;

import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Orders of the tasks of jobs looked at last, kept as long as there is memory for them. That of an
 * open job is made anew after a while, so that pages one after the other fit together.
 */
final class TaskOrders {
  private static final int MOST_KEPT = 16;
  private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** Which order; one made before the job settled is not that of the settled one. */
  private record Which(long job, long settledMillis, TaskOrder.Key key) {}

  private record Made(TaskOrder order, long atNanos, boolean forGood) {}

  private final SchedulerLoop loop;
  private final Reads reads;
  private final Map<Which, SoftReference<Made>> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Which, SoftReference<Made>> eldest) {
          return size() > MOST_KEPT;
        }
      };

  TaskOrders(SchedulerLoop loop, Reads reads) {
    this.loop = loop;
    this.reads = reads;
  }

  TaskOrder of(JobRecord job, TaskOrder.Key key) throws InterruptedException {
    Which which = new Which(job.id().value(), job.settledMillis(), key);
    Made known = known(which);
    if (known != null) {
      return known.order;
    }
    byte[] live =
        Await.answer(loop.ask(pool -> Optional.ofNullable(pool.scheduler().states(job.id()))))
            .orElse(null);
    TaskOrder order = TaskOrder.read(reads, job.id(), job.taskCount(), key, live);
    synchronized (kept) {
      kept.put(which, new SoftReference<>(new Made(order, System.nanoTime(), job.isSettled())));
    }
    return order;
  }

  private @Nullable Made known(Which which) {
    synchronized (kept) {
      SoftReference<Made> reference = kept.get(which);
      Made made = reference == null ? null : reference.get();
      return made != null && (made.forGood || System.nanoTime() - made.atNanos < VALID_NANOS)
          ? made
          : null;
    }
  }
}
