package dev.imker.client.internal.pool;

import dev.imker.client.executor.Applied;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.tasks.RemoteFunction;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A function over elements, results as they come. One thread takes elements while there is room and
 * hands out results while they are asked for, so the subscriber hears of one at a time.
 */
final class MapSubscription<A, B extends @Nullable Object> implements Flow.Subscription, Runnable {
  private static final int WINDOW = 50_000;

  private sealed interface Event<A, B extends @Nullable Object> {
    record Result<A, B extends @Nullable Object>(long number, Applied<A, B> applied)
        implements Event<A, B> {}

    record Failed<A, B extends @Nullable Object>(Throwable cause) implements Event<A, B> {}

    record Asked<A, B extends @Nullable Object>(long more) implements Event<A, B> {}

    record Cancelled<A, B extends @Nullable Object>() implements Event<A, B> {}
  }

  private final ImkerExecutor executor;
  private final Iterator<A> elements;
  private final RemoteFunction<A, B> function;
  private final Flow.Subscriber<? super Applied<A, B>> subscriber;
  private final LinkedBlockingQueue<Event<A, B>> events = new LinkedBlockingQueue<>();
  private final java.util.ArrayDeque<Applied<A, B>> ready = new java.util.ArrayDeque<>();
  private long wanted;
  private long taken;
  private final Map<Long, CompletableFuture<B>> underWay = new HashMap<>();

  MapSubscription(
      ImkerExecutor executor,
      Iterator<A> elements,
      RemoteFunction<A, B> function,
      Flow.Subscriber<? super Applied<A, B>> subscriber) {
    this.executor = executor;
    this.elements = elements;
    this.function = function;
    this.subscriber = subscriber;
  }

  void begin() {
    subscriber.onSubscribe(this);
    Thread.ofVirtual().name("imker-map").start(this);
  }

  @Override
  public void request(long n) {
    events.add(
        n > 0
            ? new Event.Asked<>(n)
            : new Event.Failed<>(new IllegalArgumentException("asked for " + n + " elements")));
  }

  @Override
  public void cancel() {
    events.add(new Event.Cancelled<>());
  }

  @Override
  public void run() {
    try {
      while (true) {
        while (wanted > 0 && !ready.isEmpty()) {
          wanted--;
          subscriber.onNext(ready.poll());
        }
        fill();
        if (underWay.isEmpty() && ready.isEmpty() && !elements.hasNext()) {
          subscriber.onComplete();
          return;
        }
        switch (events.take()) {
          case Event.Result<A, B> result -> {
            underWay.remove(result.number);
            ready.add(result.applied);
          }
          case Event.Asked<A, B> asked ->
              wanted = wanted + asked.more < 0 ? Long.MAX_VALUE : wanted + asked.more;
          case Event.Failed<A, B> failed -> {
            abandon();
            subscriber.onError(failed.cause);
            return;
          }
          case Event.Cancelled<A, B> _ -> {
            abandon();
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      subscriber.onError(e);
    }
  }

  /**
   * Takes elements, as many as there is room for and as somebody will want to see soon. When
   * something has happened meanwhile that comes first, after two of them: a slow source does not
   * keep results back, and a quick one fills the window nevertheless.
   */
  private void fill() {
    for (int i = 0;
        wanted > 0
            && underWay.size() + ready.size() < WINDOW
            && (i < 2 || events.isEmpty())
            && elements.hasNext();
        i++) {
      A element = elements.next();
      long number = ++taken;
      CompletableFuture<B> future = executor.apply(function, element);
      underWay.put(number, future);
      var _ =
          future.whenComplete(
              (result, failure) ->
                  events.add(
                      failure == null
                          ? new Event.Result<>(number, new Applied<>(element, result))
                          : new Event.Failed<>(
                              failure instanceof CompletionException && failure.getCause() != null
                                  ? failure.getCause()
                                  : failure)));
    }
  }

  /** Nobody waits for the rest. */
  private void abandon() {
    underWay.values().forEach(future -> future.cancel(true));
  }
}
