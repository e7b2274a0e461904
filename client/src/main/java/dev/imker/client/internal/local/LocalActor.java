package dev.imker.client.internal.local;

import dev.imker.client.internal.pool.Mailbox;
import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.RemoteFunction;
import dev.imker.tasks.values.ActorTurn;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** An actor that lives as long as the program. */
public final class LocalActor<T> implements Mailbox.Turns<T> {
  /** The state of an actor, whatever executors use it. */
  public static final class Kept {
    private final ReentrantLock lock = new ReentrantLock();
    private byte @Nullable [] state;
  }

  private final LocalExecutor executor;
  private final Kept kept;
  private final RemoteCallable<T> factory;

  LocalActor(LocalExecutor executor, Kept kept, RemoteCallable<T> factory) {
    this.executor = executor;
    this.kept = kept;
    this.factory = factory;
  }

  @Override
  public void require(RemoteFunction<T, ?> call) {
    if (executor.isShutdown()) {
      throw new RejectedExecutionException("The executor is shut down.");
    }
  }

  @Override
  public ActorTurn.After take(List<RemoteFunction<T, ?>> calls)
      throws ExecutionException, InterruptedException {
    kept.lock.lockInterruptibly();
    try {
      ActorTurn.After after =
          executor.submit(new ActorTurn<>("", factory, kept.state, calls)).get();
      kept.state = after.state();
      return after;
    } finally {
      kept.lock.unlock();
    }
  }
}
