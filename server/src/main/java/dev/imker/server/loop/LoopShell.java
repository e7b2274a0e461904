package dev.imker.server.loop;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a loop needs of the world besides its store: where to wait, and who reads for it meanwhile.
 * In production it has a thread of its own; a simulation has one thread for everything and calls
 * {@link SchedulerLoop#step()}.
 */
public interface LoopShell {
  /** Steady time, from wherever. */
  long nanoTime();

  /** Reads what commands need, on whatever thread may wait. */
  Executor readers();

  /** How many commands may wait for the loop. */
  int inboxCapacity();

  /**
   * Waits inside a turn until commands have come, or so long at most; null if the loop's own thread
   * is to wait.
   */
  default @Nullable Waiting waiting() {
    return null;
  }

  @FunctionalInterface
  interface Waiting {
    void await(BooleanSupplier come, long nanos);
  }

  /** The machine's. */
  static LoopShell ofMachine() {
    Executor readers =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("imker-recall-", 1).factory());
    return new LoopShell() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public Executor readers() {
        return readers;
      }

      @Override
      public int inboxCapacity() {
        return 1 << 16;
      }
    };
  }
}
