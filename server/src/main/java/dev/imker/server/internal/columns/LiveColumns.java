package dev.imker.server.internal.columns;

import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.AttemptStopped;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Columns of an open job, kept up to date by its changes. Memory is taken in blocks once a task in
 * them has begun. Any thread may read.
 */
final class LiveColumns {
  private static final int BLOCK_BITS = 12;
  static final int BLOCK_TASKS = 1 << BLOCK_BITS;

  /** Figures of neighbouring tasks. */
  private static final class Block {
    final long[] started = new long[BLOCK_TASKS];
    final long[] ended = new long[BLOCK_TASKS];
    final char[] attempts = new char[BLOCK_TASKS];
    final boolean[] touched = new boolean[BLOCK_TASKS];
  }

  private final int tasks;
  private final @Nullable Block[] blocks;
  private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
  private int used;

  /** States at the end of the job; null while it is open. */
  private volatile byte @Nullable [] finalStates;

  LiveColumns(int tasks) {
    this.tasks = tasks;
    blocks = new Block[(tasks + BLOCK_TASKS - 1) >>> BLOCK_BITS];
  }

  /** Done when what was on disk before is in here; false if that failed. */
  CompletableFuture<Boolean> ready() {
    return ready;
  }

  synchronized int usedBlocks() {
    return used;
  }

  void settled(byte[] states) {
    finalStates = states;
  }

  byte @Nullable [] finalStates() {
    return finalStates;
  }

  // ---------------------------------------------------------------- changes

  synchronized void began(AttemptStarted start) {
    int index = start.task().index();
    Block block = touch(index);
    int place = index & (BLOCK_TASKS - 1);
    block.attempts[place] = attempts(start.attempt());
    if (block.started[place] == 0 || block.ended[place] > 0) {
      block.started[place] = start.atMillis();
      block.ended[place] = 0;
    }
  }

  /** Copies that end after the task was settled change nothing. */
  synchronized void ended(AttemptEnded end) {
    int index = end.task().index();
    Block block = touch(index);
    int place = index & (BLOCK_TASKS - 1);
    if (end.state().isSettled()) {
      if (block.ended[place] == 0) {
        block.started[place] = end.report().startedMillis();
        block.ended[place] = end.report().endedMillis();
      }
    } else if (end.state() != TaskState.RUNNING) {
      block.started[place] = 0;
      block.ended[place] = 0;
    }
  }

  /** What was settled without a report gets the times of the one that comes after all. */
  synchronized void stopped(AttemptStopped stop) {
    int index = stop.task().index();
    Block block = touch(index);
    int place = index & (BLOCK_TASKS - 1);
    if (block.started[place] == 0 && block.ended[place] > 0) {
      block.started[place] = stop.report().startedMillis();
      block.ended[place] = stop.report().endedMillis();
    }
  }

  /** Tasks that are to be tried again have no attempt that counts. */
  synchronized void changed(int from, int toExclusive, TaskState state) {
    if (state != TaskState.READY && state != TaskState.WAITING) {
      return;
    }
    for (int i = from; i < toExclusive; i++) {
      Block block = blocks[i >>> BLOCK_BITS];
      if (block == null && ready.isDone()) {
        i |= BLOCK_TASKS - 1;
        continue;
      }
      block = touch(i);
      block.started[i & (BLOCK_TASKS - 1)] = 0;
      block.ended[i & (BLOCK_TASKS - 1)] = 0;
    }
  }

  /** Takes what is on disk, unless a change since then is known already. */
  synchronized void onDisk(int index, int attempts, long started, long ended) {
    Block known = blocks[index >>> BLOCK_BITS];
    int place = index & (BLOCK_TASKS - 1);
    if (known == null || !known.touched[place]) {
      Block block = touch(index);
      block.attempts[place] = attempts(attempts);
      block.started[place] = started;
      block.ended[place] = ended;
    }
  }

  private Block touch(int index) {
    Block block = blocks[index >>> BLOCK_BITS];
    if (block == null) {
      block = new Block();
      blocks[index >>> BLOCK_BITS] = block;
      used++;
    }
    block.touched[index & (BLOCK_TASKS - 1)] = true;
    return block;
  }

  private static char attempts(int number) {
    return (char) Math.min(number, Character.MAX_VALUE);
  }

  // ---------------------------------------------------------------- reading

  /**
   * @param states ordinals, one per task
   */
  TaskColumns with(byte[] states) {
    return new TaskColumns() {
      @Override
      public int tasks() {
        return tasks;
      }

      @Override
      public byte state(int index) {
        return states[index];
      }

      @Override
      public long started(int index) {
        Block block = blocks[index >>> BLOCK_BITS];
        return block == null ? 0 : block.started[index & (BLOCK_TASKS - 1)];
      }

      @Override
      public long ended(int index) {
        Block block = blocks[index >>> BLOCK_BITS];
        return block == null ? 0 : block.ended[index & (BLOCK_TASKS - 1)];
      }

      @Override
      public int attempts(int index) {
        Block block = blocks[index >>> BLOCK_BITS];
        return block == null ? 0 : block.attempts[index & (BLOCK_TASKS - 1)];
      }
    };
  }
}
