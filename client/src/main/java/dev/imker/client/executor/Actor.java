package dev.imker.client.executor;

import dev.imker.tasks.RemoteFunction;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An object in the pool, found by its name. Its calls are made one after the other: those of one
 * program in the order in which it made them. What a call has changed is kept by the server before
 * its future completes, so the object outlives machines, servers and programs; a call that is
 * interrupted by a loss is made again on the object as it was before.
 *
 * <p>Kept are the fields of the object, of the types that calls may return; {@code transient} ones
 * are what the factory makes them. A call that throws changes nothing.
 */
public interface Actor<T> {
  String name();

  /** Calls a method, such as {@code Counter::increment} or {@code c -> c.add(5)}. */
  <R extends @Nullable Object> CompletableFuture<R> call(RemoteFunction<T, R> method);
}
