package dev.imker.agent.internal.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notes that other threads leave for one thread, executed one after the other. */
final class Notes {
  private static final Logger LOG = LoggerFactory.getLogger(Notes.class);

  private final LinkedBlockingQueue<Runnable> waking = new LinkedBlockingQueue<>();

  /** Those that do not wake anybody; they are seen before any other. */
  private final ConcurrentLinkedQueue<Runnable> quiet = new ConcurrentLinkedQueue<>();

  private final List<Runnable> batch = new ArrayList<>();

  void add(Runnable note) {
    waking.add(note);
  }

  void addQuietly(Runnable note) {
    quiet.add(note);
  }

  /** Waits for notes, so long at most, and does all that are there. */
  void work(long waitNanos) throws InterruptedException {
    Runnable first = waking.poll(waitNanos, TimeUnit.NANOSECONDS);
    if (first != null) {
      batch.add(first);
      waking.drainTo(batch);
    }
    for (Runnable note = quiet.poll(); note != null; note = quiet.poll()) {
      guarded(note);
    }
    batch.forEach(Notes::guarded);
    batch.clear();
  }

  /** Does a step; its failure is not that of the others. */
  static void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      LOG.error("A step of the agent failed; it continues", e);
    }
  }
}
