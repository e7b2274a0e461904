package dev.imker.server.loop;

import dev.imker.model.change.Change;
import dev.imker.model.change.RecordChange;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The live state of the pool, as all threads but its own may ask about it and change it. */
public interface LiveState {
  /** Puts a command into the inbox; waits while that is full, so never call it on an event loop. */
  void tell(Command command);

  /** Asks about the live state. The answer comes when all it may rest on is on disk. */
  default <T> CompletableFuture<T> ask(Function<PoolState, T> question) {
    return askAt((state, nowMillis) -> question.apply(state));
  }

  /** The same for a question that needs to know the loop's time. */
  default <T> CompletableFuture<T> askAt(TimedQuestion<T> question) {
    return send(PendingAnswer.to(question));
  }

  /** Asks about the live state as it is at a moment. */
  @FunctionalInterface
  interface TimedQuestion<T> {
    T answer(PoolState pool, long nowMillis);
  }

  /** Writes what of the live state only accounts know; the answer comes when it is on disk. */
  default CompletableFuture<Boolean> record(List<? extends Change> changes) {
    return change(
        (state, nowMillis, outbox) -> {
          for (Change change : changes) {
            if (change instanceof RecordChange record) {
              state.accounts().apply(record);
            }
            outbox.change(change);
          }
          return true;
        });
  }

  /** Changes the live state; the answer comes when the change is on disk. */
  default <T> CompletableFuture<T> change(PendingAnswer.Work<T> work) {
    return send(new PendingAnswer<>(work, false));
  }

  private <T> CompletableFuture<T> send(PendingAnswer<T> answer) {
    tell(answer);
    return answer.future();
  }
}
