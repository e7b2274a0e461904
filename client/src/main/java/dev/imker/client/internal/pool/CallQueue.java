package dev.imker.client.internal.pool;

import dev.imker.client.executor.ExecutorOptions;
import dev.imker.tasks.values.CallTable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Calls that are on no way yet, encoded; not safe for use by several threads at once. */
final class CallQueue {
  private static final long MAX_BATCH_BYTES = 8L << 20;

  /** Further ones begin a new table, so that what is no longer called does not stay for ever. */
  private static final int MAX_TEMPLATES = 500;

  private static final long MAX_TEMPLATE_BYTES = 128L << 20;

  /**
   * A call with what it is encoded by.
   *
   * @param apart whether it has a task of its own
   * @param attempts that were made before
   * @param options how it is treated
   */
  record Entry(
      RemoteFuture<?> future,
      byte[] code,
      CallTable.Templates templates,
      boolean apart,
      int attempts,
      ExecutorOptions options) {
    Entry again(boolean alone, int more) {
      return new Entry(future, code, templates, alone || apart, attempts + more, options);
    }

    boolean fitsBeside(Entry other) {
      return templates.equals(other.templates)
          && apart == other.apart
          && attempts == other.attempts
          && options.equals(other.options);
    }
  }

  private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
  private final ExecutorOptions usual;
  private CallTable.Templates templates = new CallTable.Templates();

  /**
   * @param usual how calls are treated that have no options of their own
   */
  CallQueue(ExecutorOptions usual) {
    this.usual = usual;
  }

  /**
   * Adds a call.
   *
   * @throws dev.imker.tasks.values.ValueException if it cannot travel
   */
  void add(RemoteFuture<?> future) {
    if (templates.size() >= MAX_TEMPLATES || templates.bytes() > MAX_TEMPLATE_BYTES) {
      templates = new CallTable.Templates();
    }
    byte[] code =
        future.call() instanceof RemoteFuture.Application(Object function, Object argument)
            ? templates.encode(function, argument)
            : templates.encode(future.call());
    ExecutorOptions options = future.optionsOr(usual);
    waiting.add(new Entry(future, code, templates, !options.equals(usual), 0, options));
  }

  /** Takes back calls that have to be made again; they come first. */
  void addAgain(List<Entry> entries) {
    entries.reversed().forEach(waiting::addFirst);
  }

  int size() {
    return waiting.size();
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  /** The next calls, so many at most; all alike in what is the same for a whole job. */
  List<Entry> take(int most) {
    List<Entry> taken = new ArrayList<>(Math.min(most, waiting.size()));
    long bytes = 0;
    for (Entry next = waiting.peek();
        next != null && taken.size() < most && bytes < MAX_BATCH_BYTES;
        next = waiting.peek()) {
      if (!taken.isEmpty() && !next.fitsBeside(taken.getFirst())) {
        break;
      }
      bytes += next.code.length;
      taken.add(waiting.remove());
    }
    return taken;
  }

  /** Empties it. */
  List<RemoteFuture<?>> drop() {
    List<RemoteFuture<?>> dropped = new ArrayList<>(waiting.size());
    waiting.forEach(entry -> dropped.add(entry.future));
    waiting.clear();
    return dropped;
  }
}
