package dev.imker.client.internal;

import dev.imker.client.Applied;
import dev.imker.client.ImkerExecutor;
import dev.imker.tasks.RemoteFunction;
import java.util.Iterator;
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
    record Result<A, B extends @Nullable Object>(Applied<A, B> applied) implements Event<A, B> {}

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
  private int underWay;

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
        fill();
        while (wanted > 0 && !ready.isEmpty()) {
          wanted--;
          subscriber.onNext(ready.poll());
        }
        if (underWay == 0 && ready.isEmpty() && !elements.hasNext()) {
          subscriber.onComplete();
          return;
        }
        switch (events.take()) {
          case Event.Result<A, B> result -> {
            underWay--;
            ready.add(result.applied);
          }
          case Event.Asked<A, B> asked ->
              wanted = wanted + asked.more < 0 ? Long.MAX_VALUE : wanted + asked.more;
          case Event.Failed<A, B> failed -> {
            subscriber.onError(failed.cause);
            return;
          }
          case Event.Cancelled<A, B> _ -> {
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

  /** Takes elements, as many as there is room for and as somebody will want to see soon. */
  private void fill() {
    while (wanted > 0 && underWay + ready.size() < WINDOW && elements.hasNext()) {
      A element = elements.next();
      underWay++;
      var _ =
          executor
              .apply(function, element)
              .whenComplete(
                  (result, failure) ->
                      events.add(
                          failure == null
                              ? new Event.Result<>(new Applied<>(element, result))
                              : new Event.Failed<>(
                                  failure instanceof CompletionException
                                          && failure.getCause() != null
                                      ? failure.getCause()
                                      : failure)));
    }
  }
}
