package dev.imker.server.loop;

import dev.imker.core.message.Outbox;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command that may be too much for one turn: it is done in steps, one in a turn, so that others
 * are served in between. What it answers comes when the last one is on disk.
 */
public final class SteppedAnswer<T> implements Command {
  /** What to do on the loop's thread, again and again. */
  @FunctionalInterface
  public interface Steps<T> {
    /** Does the next step; null if there are more. The first one only looks if there are many. */
    @Nullable T step(PoolState pool, long nowMillis, Outbox out);
  }

  private final Steps<T> steps;
  private final Consumer<Command> goingOn;
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private @Nullable T result;

  /**
   * @param goingOn takes this command to be applied once more in a later turn
   */
  SteppedAnswer(Steps<T> steps, Consumer<Command> goingOn) {
    this.steps = steps;
    this.goingOn = goingOn;
  }

  CompletableFuture<T> future() {
    return future;
  }

  @Override
  public void apply(PoolState pool, long nowMillis, Outbox out) {
    result = steps.step(pool, nowMillis, out);
  }

  @Override
  public void committed() {
    T done = result;
    if (done == null) {
      goingOn.accept(this);
    } else {
      future.complete(done);
    }
  }

  @Override
  public void failed(RuntimeException why) {
    future.completeExceptionally(why);
  }
}
