package dev.imker.server.loop;

import dev.imker.core.message.Outbox;
import dev.imker.model.ImkerException;
import java.util.concurrent.CompletableFuture;

/** A command whose result somebody waits for. */
public final class PendingAnswer<T> implements Command {
  /** What to do on the loop's thread. */
  @FunctionalInterface
  public interface Work<T> {
    T apply(PoolState pool, long nowMillis, Outbox out);
  }

  private record Result<T>(T value) {}

  private final Work<T> work;
  private final boolean looksOnly;
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private Result<T> result;

  @SuppressWarnings("NullAway.Init") // committed() comes after apply()
  PendingAnswer(Work<T> work, boolean looksOnly) {
    this.work = work;
    this.looksOnly = looksOnly;
  }

  /** A question that fails has changed nothing: it is refused like any other wrong command. */
  static <T> PendingAnswer<T> to(LiveState.TimedQuestion<T> question) {
    return new PendingAnswer<>(
        (pool, nowMillis, out) -> {
          try {
            return question.answer(pool, nowMillis);
          } catch (ImkerException e) {
            throw e;
          } catch (RuntimeException e) {
            throw new ImkerException("The server could not find the answer.", e);
          }
        },
        true);
  }

  CompletableFuture<T> future() {
    return future;
  }

  @Override
  public void apply(PoolState pool, long nowMillis, Outbox out) {
    result = new Result<>(work.apply(pool, nowMillis, out));
  }

  @Override
  public boolean looksOnly() {
    return looksOnly;
  }

  @Override
  public void committed() {
    future.complete(result.value);
  }

  @Override
  public void failed(RuntimeException why) {
    future.completeExceptionally(why);
  }
}
