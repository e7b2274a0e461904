package dev.imker.chaos.simulated;

import dev.imker.model.ImkerException;
import dev.imker.server.loop.NotLeadingException;
import dev.imker.server.loop.PoolUnavailableException;
import dev.imker.store.StoreException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A client asks servers until one answers. */
final class Call<T> {
  private static final double ANSWER_MILLIS = 3_000;

  private final World world;
  private final Simulation simulation;
  private final Runnable onDone;
  private final Function<ServerProcess, CompletableFuture<T>> question;
  private final Consumer<T> answered;
  private final boolean mayBeRefused;
  private int tries;

  Call(
      World world,
      Simulation simulation,
      Runnable onDone,
      Function<ServerProcess, CompletableFuture<T>> question,
      Consumer<T> answered,
      boolean mayBeRefused) {
    this.world = world;
    this.simulation = simulation;
    this.onDone = onDone;
    this.question = question;
    this.answered = answered;
    this.mayBeRefused = mayBeRefused;
  }

  void ask() {
    int now = ++tries;
    ServerProcess server = simulation.anyServer();
    if (server != null) {
      world.in(world.between(0.2, 20), () -> arrive(server, now));
    }
    world.in(ANSWER_MILLIS, () -> again(now));
  }

  private void again(int number) {
    if (number == tries) {
      ask();
    }
  }

  private void arrive(ServerProcess server, int number) {
    if (!server.isAlive()) {
      return;
    }
    if (server.isStill()) {
      world.in(server.stillForMillis(), () -> arrive(server, number));
      return;
    }
    server.guard(
        () -> {
          CompletableFuture<T> future;
          try {
            future =
                server.loop().isLeading()
                    ? question.apply(server)
                    : CompletableFuture.failedFuture(new NotLeadingException());
          } catch (StoreException e) {
            future = CompletableFuture.failedFuture(e);
          }
          var _ =
              future.whenComplete(
                  (answer, failure) -> {
                    if (server.isAlive() && (simulation.isCalm() || !world.oneIn(15))) {
                      world.in(world.between(0.2, 20), () -> answer(number, answer, failure));
                    }
                  });
        });
  }

  private void answer(int number, @Nullable T answer, @Nullable Throwable failure) {
    if (number != tries) {
      return;
    }
    Throwable cause =
        failure != null && failure.getCause() != null && failure instanceof CompletionException
            ? failure.getCause()
            : failure;
    if (answer != null) {
      done();
      answered.accept(answer);
    } else if (cause instanceof NotLeadingException
        || cause instanceof PoolUnavailableException
        || cause instanceof StoreException) {
      tries++;
      int next = tries;
      world.in(world.between(50, 800), () -> again(next));
    } else if (mayBeRefused && cause instanceof ImkerException) {
      done();
    } else {
      throw new BrokenPromise("a client was told: " + cause, cause);
    }
  }

  private void done() {
    tries = Integer.MAX_VALUE / 2;
    onDone.run();
  }
}
