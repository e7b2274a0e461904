package dev.imker.agent.internal.host;

import dev.imker.tasks.values.CallTable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The sub-tasks of one run, numbered from zero on. Those that are spawned while others are on their
 * way to the server gather, and follow together.
 */
final class SubTasks {
  private static final long MAX_BATCH_BYTES = 1 << 20;
  private static final int MAX_BATCH = 2_000;

  private final long run;
  private final HostRuns runs;
  private final List<CompletableFuture<byte[]>> outcomes = new ArrayList<>();
  private final List<CallTable.Builder> gathered = new ArrayList<>();
  private int sent;
  private boolean underWay;

  SubTasks(long run, HostRuns runs) {
    this.run = run;
    this.runs = runs;
  }

  /**
   * Has a call made as a task; returns its number.
   *
   * @throws dev.imker.tasks.values.ValueException if it cannot travel
   */
  synchronized int spawn(Object call) {
    CallTable.Builder last = gathered.isEmpty() ? null : gathered.getLast();
    if (last == null || last.size() >= MAX_BATCH || last.bytes() > MAX_BATCH_BYTES) {
      last = new CallTable.Builder();
      last.add(call);
      gathered.add(last);
    } else {
      last.add(call);
    }
    outcomes.add(new CompletableFuture<>());
    if (!underWay) {
      send();
    }
    return outcomes.size() - 1;
  }

  private void send() {
    CallTable.Builder batch = gathered.removeFirst();
    int first = sent;
    int count = batch.size();
    sent += count;
    underWay = true;
    var _ =
        runs.requests()
            .begin(
                run,
                Requests.Kind.SPAWN,
                FrameChannel.content(
                    out -> {
                      out.writeInt(first);
                      out.writeInt(count);
                      FrameChannel.writeBytes(out, batch.templates());
                      FrameChannel.writeBytes(out, batch.entries());
                    }))
            .whenComplete((_, refusal) -> answered(first, count, refusal));
  }

  private synchronized void answered(int first, int count, @Nullable Throwable refusal) {
    if (refusal != null) {
      outcomes.subList(first, first + count).forEach(one -> one.completeExceptionally(refusal));
    }
    underWay = false;
    if (!gathered.isEmpty()) {
      send();
    }
  }

  synchronized void outcome(int number, byte[] outcome) {
    outcomes.get(number).complete(outcome);
  }

  private synchronized CompletableFuture<byte[]> find(int number) {
    return outcomes.get(number);
  }

  /**
   * Waits for what a sub-task comes to.
   *
   * @param idle whether the run has nothing else to do meanwhile, so that its slot is free
   */
  byte[] join(int number, boolean idle) throws ExecutionException, InterruptedException {
    CompletableFuture<byte[]> outcome = find(number);
    if (!idle || outcome.isDone()) {
      return outcome.get();
    }
    runs.waiting(run, true);
    try {
      return outcome.get();
    } finally {
      runs.waiting(run, false);
    }
  }
}
