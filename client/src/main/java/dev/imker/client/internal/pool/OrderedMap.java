package dev.imker.client.internal.pool;

import dev.imker.client.executor.ImkerExecutor;
import dev.imker.tasks.RemoteFunction;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A function over a stream, results in order: a window of elements is under way, and every result
 * that is read makes room for one more.
 */
final class OrderedMap<A extends @Nullable Object, B extends @Nullable Object>
    extends Spliterators.AbstractSpliterator<B> {
  static final int WINDOW = 50_000;

  private final ImkerExecutor executor;
  private final Stream<A> elements;
  private final Iterator<A> iterator;
  private final RemoteFunction<A, B> function;
  private final ArrayDeque<CompletableFuture<B>> underWay = new ArrayDeque<>();

  OrderedMap(ImkerExecutor executor, Stream<A> elements, RemoteFunction<A, B> function) {
    super(Long.MAX_VALUE, Spliterator.ORDERED);
    this.executor = executor;
    this.elements = elements;
    this.iterator = elements.iterator();
    this.function = function;
  }

  Stream<B> stream() {
    return StreamSupport.stream(this, false).onClose(this::close);
  }

  @Override
  public boolean tryAdvance(Consumer<? super B> action) {
    fill();
    CompletableFuture<B> next = underWay.poll();
    if (next == null) {
      return false;
    }
    action.accept(joined(next));
    return true;
  }

  /**
   * Takes elements until there is something to hand out: of a slow source nobody wants to wait for
   * a whole window. Two for every result, so that a quick one fills the window nevertheless.
   */
  private void fill() {
    for (int taken = 0;
        underWay.size() < WINDOW && (taken < 2 || !isFirstDone()) && iterator.hasNext();
        taken++) {
      underWay.add(executor.apply(function, iterator.next()));
    }
  }

  private boolean isFirstDone() {
    CompletableFuture<B> first = underWay.peek();
    return first != null && first.isDone();
  }

  private void close() {
    elements.close();
    underWay.forEach(future -> future.cancel(true));
  }

  /** The result, or the failure as it is. */
  static <T extends @Nullable Object> T joined(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
