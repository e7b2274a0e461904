package dev.imker.client.internal.pool;

import dev.imker.client.executor.Actor;
import dev.imker.client.executor.RemoteFailureException;
import dev.imker.model.ImkerException;
import dev.imker.tasks.RemoteFunction;
import dev.imker.tasks.values.ActorTurn;
import dev.imker.tasks.values.ByteTable;
import dev.imker.tasks.values.CallOutcome;
import dev.imker.tasks.values.Failure;
import dev.imker.tasks.values.ValueException;
import dev.imker.tasks.values.Values;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Calls of an actor in their order: those that come while a turn is under way are the next one. */
public final class Mailbox<T> implements Actor<T> {
  /** Makes calls on the object, wherever it is. */
  public interface Turns<T> {
    /**
     * @throws RejectedExecutionException if a call could not be made
     */
    void require(RemoteFunction<T, ?> call);

    /**
     * @throws ExecutionException if they were not made to their end and have changed nothing
     */
    ActorTurn.After take(List<RemoteFunction<T, ?>> calls)
        throws ExecutionException, InterruptedException;
  }

  private record Letter<T>(RemoteFunction<T, ?> call, CompletableFuture<?> future) {}

  private final String name;
  private final Turns<T> turns;
  private final ClassLoader classes;
  private final int maxCalls;
  private final ArrayDeque<Letter<T>> letters = new ArrayDeque<>();
  private boolean busy;

  /**
   * @param maxCalls in one turn
   */
  public Mailbox(String name, Turns<T> turns, ClassLoader classes, int maxCalls) {
    this.name = name;
    this.turns = turns;
    this.classes = classes;
    this.maxCalls = maxCalls;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public <R extends @Nullable Object> CompletableFuture<R> call(RemoteFunction<T, R> method) {
    turns.require(method);
    try {
      Values.encode(method, "The call");
    } catch (ValueException e) {
      throw new RejectedExecutionException(e.getMessage(), e);
    }
    CompletableFuture<R> future = new CompletableFuture<>();
    synchronized (this) {
      letters.add(new Letter<>(method, future));
      if (!busy) {
        busy = true;
        Thread.ofVirtual().name("imker-actor-" + name).start(this::empty);
      }
    }
    return future;
  }

  /** Waits until all calls so far are over. */
  synchronized void awaitEmpty() throws InterruptedException {
    while (busy) {
      wait();
    }
  }

  private void empty() {
    for (List<Letter<T>> next = next(); !next.isEmpty(); next = next()) {
      deliver(next);
    }
  }

  private synchronized List<Letter<T>> next() {
    List<Letter<T>> taken = new ArrayList<>();
    while (!letters.isEmpty() && taken.size() < maxCalls) {
      Letter<T> letter = letters.remove();
      if (!letter.future.isDone()) {
        taken.add(letter);
      }
    }
    if (taken.isEmpty()) {
      busy = false;
      notifyAll();
    }
    return taken;
  }

  private void deliver(List<Letter<T>> all) {
    try {
      ByteTable outcomes =
          ByteTable.read(
              turns.take(all.stream().<RemoteFunction<T, ?>>map(Letter::call).toList()).outcomes());
      for (int i = 0; i < all.size(); i++) {
        complete(all.get(i).future, outcomes.get(i));
      }
    } catch (ExecutionException e) {
      if (all.size() > 1) { // which of them is to blame shows one by one
        all.forEach(letter -> deliver(List.of(letter)));
      } else {
        all.getFirst().future.completeExceptionally(e.getCause());
      }
    } catch (RuntimeException e) {
      all.forEach(letter -> letter.future.completeExceptionally(e));
    } catch (InterruptedException e) {
      ImkerException closed = new ImkerException("The connection to the pool was closed.", e);
      all.forEach(letter -> letter.future.completeExceptionally(closed));
    }
  }

  @SuppressWarnings("unchecked") // what the method returned
  private <R> void complete(CompletableFuture<R> future, byte[] outcome) {
    try {
      Object value = Values.decode(CallOutcome.content(outcome), classes);
      if (CallOutcome.of(outcome) == CallOutcome.VALUE) {
        future.complete((R) value);
      } else {
        future.completeExceptionally(thrown(value, classes));
      }
    } catch (RuntimeException | LinkageError e) { // values run code of their classes
      future.completeExceptionally(e);
    }
  }

  /** What a call threw, as it was there. */
  static Throwable thrown(@Nullable Object value, ClassLoader classes) {
    return value instanceof Failure failure
        ? failure.rebuilt(classes).orElseGet(() -> new RemoteFailureException(failure, classes))
        : new ImkerException("A call did not complete.");
  }
}
