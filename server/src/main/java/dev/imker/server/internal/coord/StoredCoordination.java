package dev.imker.server.internal.coord;

import dev.imker.coord.CoordinationException;
import dev.imker.coord.UnsureException;
import dev.imker.coord.tasks.Member;
import dev.imker.coord.tasks.Once;
import dev.imker.coord.tasks.TaskCoordination;
import dev.imker.coord.tasks.Waiters;
import dev.imker.model.shared.SharedKey;
import dev.imker.model.shared.SharedKind;
import dev.imker.server.commands.Await;
import dev.imker.server.live.shared.SharedCalls;
import dev.imker.server.loop.LiveState;
import dev.imker.server.loop.PoolUnavailableException;
import dev.imker.store.CommitUnsureException;
import dev.imker.store.StoreBrokenException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Coordination in the pool's own store: every question is a command of the loop, answered when what
 * it changed is on disk. Who waits does so here, off the loop, and asks again when it is woken.
 */
public record StoredCoordination(LiveState live, SharedWakes wakes) implements TaskCoordination {
  private static final int FORGOTTEN_AT_ONCE = 2_000;

  @Override
  public Entered enter(String scope, String name, Member self, int size, long waitMillis)
      throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.BARRIER, name);
    return await(
        key,
        "",
        waitMillis,
        () -> as(self, calls -> calls.enter(key, self, size)),
        Entered::entered);
  }

  @Override
  public boolean leave(String scope, String name, Member self, long round, long waitMillis)
      throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.BARRIER, name);
    return await(
        key, "", waitMillis, () -> as(self, calls -> calls.leave(key, self, round)), left -> left);
  }

  @Override
  public Held acquire(String scope, String name, Member self, long waitMillis)
      throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.LOCK, name);
    return await(
        key,
        self.lease(),
        waitMillis,
        () -> as(self, calls -> calls.acquire(key, self)),
        Held::held);
  }

  @Override
  public boolean release(String scope, String name, Member self) throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.LOCK, name);
    return as(self, calls -> calls.giveUp(key, self));
  }

  @Override
  public Elected stand(String scope, String name, Member self) throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.ELECTION, name);
    return as(self, calls -> calls.stand(key, self));
  }

  @Override
  public Elected lead(String scope, String name, Member self, long waitMillis)
      throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.ELECTION, name);
    return await(
        key,
        self.lease(),
        waitMillis,
        () -> as(self, calls -> calls.stand(key, self)),
        Elected::you);
  }

  @Override
  public boolean resign(String scope, String name, Member self) throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.ELECTION, name);
    return as(self, calls -> calls.giveUp(key, self));
  }

  @Override
  public Counted counter(String scope, String name) throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.COUNTER, name);
    return asked(Once.NONE, calls -> calls.counter(key));
  }

  @Override
  public Optional<Counted> set(
      String scope, String name, Member self, long value, long version, Once once)
      throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.COUNTER, name);
    return as(self, once, calls -> calls.set(key, self, value, version, once));
  }

  @Override
  public Counted add(String scope, String name, Member self, long delta, Once once)
      throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.COUNTER, name);
    return as(self, once, calls -> calls.add(key, self, delta, once));
  }

  @Override
  public Named config(String scope, String name) throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.CONFIG, name);
    return asked(Once.NONE, calls -> calls.config(key));
  }

  @Override
  public Optional<Named> configure(
      String scope, String name, Member self, byte[] data, OptionalLong version, Once once)
      throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.CONFIG, name);
    return as(self, once, calls -> calls.configure(key, self, data, version, once));
  }

  @Override
  public Named watch(String scope, String name, long version, long waitMillis)
      throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.CONFIG, name);
    return await(
        key,
        "",
        waitMillis,
        () -> asked(Once.NONE, calls -> calls.config(key)),
        now -> now.version() != version);
  }

  @Override
  public Group join(String scope, String name, Member self) throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.GROUP, name);
    return as(self, calls -> calls.join(key, self));
  }

  @Override
  public Group part(String scope, String name, Member self) throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.GROUP, name);
    return as(self, calls -> calls.part(key, self));
  }

  @Override
  public Group members(String scope, String name, OptionalLong since, long waitMillis)
      throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.GROUP, name);
    return await(
        key,
        "",
        waitMillis,
        () -> asked(Once.NONE, calls -> calls.members(key)),
        now -> since.isEmpty() || now.version() != since.getAsLong());
  }

  @Override
  public void put(String scope, String name, Member self, byte[] data, Once once)
      throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.QUEUE, name);
    var _ =
        as(
            self,
            once,
            calls -> {
              calls.put(key, self, data, once);
              return true;
            });
  }

  @Override
  public Optional<byte[]> take(String scope, String name, Member self, long waitMillis, Once once)
      throws InterruptedException {
    SharedKey key = new SharedKey(scope, SharedKind.QUEUE, name);
    SharedCalls.Taken taken =
        await(
            key,
            "",
            waitMillis,
            () -> as(self, once, calls -> calls.take(key, self, once)),
            one -> one.data().isPresent());
    if (taken
        .again()) { // it may have been woken for something else, which somebody else is to take
      waiters().wakeOne(SharedWakes.path(key));
    }
    return taken.data();
  }

  /** Of a program outside of the pool that is not there any more. */
  void depart(Member program) throws InterruptedException {
    var _ =
        asked(
            Once.NONE,
            calls -> {
              calls.depart(program.lease());
              return true;
            });
  }

  /** A part in each turn, so that nobody waits for long. */
  @Override
  public void forget(String scope) throws InterruptedException {
    boolean more = true;
    while (more) {
      more = asked(Once.NONE, calls -> calls.forget(scope, FORGOTTEN_AT_ONCE));
    }
  }

  @Override
  public List<String> scopes() throws InterruptedException {
    return asked(Once.NONE, calls -> calls.things().scopes());
  }

  @Override
  public Waiters waiters() {
    return wakes.waiters();
  }

  @Override
  public void close() {
    wakes.wakeEverybody();
  }

  // ---------------------------------------------------------------- asking the loop

  private interface Look<T> {
    T look() throws InterruptedException;
  }

  /**
   * The first answer that will do, or what is so when the time is over: the same question that was
   * asked before, over a connection that broke, may have been answered meanwhile.
   */
  private <T> T await(
      SharedKey key, String lease, long waitMillis, Look<T> look, Predicate<T> willDo)
      throws InterruptedException {
    if (waitMillis <= 0) {
      return look.look();
    }
    Optional<T> found =
        waiters()
            .await(
                SharedWakes.path(key),
                lease,
                waitMillis,
                () -> {
                  try {
                    return Optional.of(look.look()).filter(willDo);
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new CoordinationException("interrupted", e);
                  }
                });
    return found.isPresent() ? found.get() : look.look();
  }

  private <T> T as(Member self, Function<SharedCalls, T> call) throws InterruptedException {
    return as(self, new Once("-", 0), call); // asking twice is like asking once
  }

  private <T> T as(Member self, Once once, Function<SharedCalls, T> call)
      throws InterruptedException {
    return asked(
        once,
        calls -> {
          calls.requireOpen(self);
          return call.apply(calls);
        });
  }

  private <T> T asked(Once once, Function<SharedCalls, T> call) throws InterruptedException {
    try {
      return Await.answer(
          live.change(
              (pool, nowMillis, out) -> call.apply(new SharedCalls(pool.shared(), out::change))));
    } catch (PoolUnavailableException e) {
      if (once.isNone() && isUnsure(e)) {
        throw new UnsureException(
            "No answer arrived; the operation may or may not have happened.", e);
      }
      throw e;
    }
  }

  /** Whether it may be on disk all the same. */
  private static boolean isUnsure(Throwable why) {
    for (Throwable cause = why; cause != null; cause = cause.getCause()) {
      if (cause instanceof CommitUnsureException
          || cause instanceof StoreBrokenException
          || cause instanceof TimeoutException) {
        return true;
      }
    }
    return false;
  }
}
