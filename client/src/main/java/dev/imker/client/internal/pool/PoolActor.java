package dev.imker.client.internal.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.client.executor.RemoteFailureException;
import dev.imker.client.internal.http.KeyTakenException;
import dev.imker.model.ImkerException;
import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.RemoteFunction;
import dev.imker.tasks.values.ActorTurn;
import dev.imker.tasks.values.ByteTable;
import dev.imker.tasks.values.CallOutcome;
import dev.imker.tasks.values.Failure;
import dev.imker.tasks.values.Values;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An actor as a chain of jobs, each a turn. A turn carries the state that the one before it left,
 * and its key names that one: of several programs that go on from the same turn, the server takes
 * one, and the others go on from there. So every turn follows exactly one other, and nothing but
 * jobs has to be kept.
 */
final class PoolActor<T> implements Mailbox.Turns<T> {
  /** So many of the newest turns are looked at at a time for one that left a state. */
  private static final int PAGE = 20;

  private final PoolExecutor executor;
  private final JobSession session;
  private final String name;
  private final String project;
  private final RemoteCallable<T> factory;
  private final ClassLoader classes;
  private boolean known;
  private long last;
  private byte @Nullable [] state;

  PoolActor(
      PoolExecutor executor,
      JobSession session,
      String name,
      String project,
      RemoteCallable<T> factory) {
    this.executor = executor;
    this.session = session;
    this.name = name;
    this.project = project;
    this.factory = factory;
    this.classes = RemoteFuture.loader(factory);
  }

  static String jobName(String actor) {
    return "actor-" + actor;
  }

  @Override
  public void require(RemoteFunction<T, ?> call) {
    executor.requireTurn(call);
  }

  @Override
  public ActorTurn.After take(List<RemoteFunction<T, ?>> calls)
      throws ExecutionException, InterruptedException {
    ReentrantLock lock = session.lock(project + "/" + name);
    lock.lockInterruptibly(); // another handle of this program would use the same key
    try {
      while (true) {
        if (!known) {
          find();
        }
        String key = "actor/%s/%s/%d".formatted(project, name, last);
        Turn turn = new Turn();
        try {
          last =
              executor.submitTurn(
                  name,
                  new ActorTurn<>(UUID.randomUUID().toString(), factory, state, calls),
                  key,
                  turn);
        } catch (KeyTakenException e) {
          adopt(session.find(key));
          continue;
        }
        known = false; // unless its end is heard of
        Followed.Outcome end = turn.await();
        known = true;
        ActorTurn.After after = read(last, end);
        state = after.state();
        return after;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Somebody else's turn came first. */
  private void adopt(long job) throws InterruptedException {
    await(job);
    last = job;
    byte[] left = left(job);
    state = left == null ? state : left;
  }

  /** The newest turn, and the newest state that one has left. */
  private void find() throws InterruptedException {
    String user = JobSession.encoded(session.rest().get("/api/v1/me").path("user").asText());
    String turns =
        "/api/v1/jobs?limit=%d&name=%s&project=%s&user=%s"
            .formatted(PAGE, JobSession.encoded(jobName(name)), JobSession.encoded(project), user);
    long newest = 0;
    long oldest = 0;
    while (true) {
      JsonNode page = session.rest().get(oldest == 0 ? turns : turns + "&before=" + oldest);
      for (JsonNode job : page.path("jobs")) {
        oldest = job.path("id").asLong();
        if (newest == 0) {
          newest = oldest;
          await(newest);
        }
        byte[] left = left(oldest);
        if (left != null) {
          found(newest, left);
          return;
        }
      }
      if (page.path("jobs").isEmpty()) {
        found(newest, null);
        return;
      }
    }
  }

  /** The state that a turn left; null if it changed nothing. */
  private byte @Nullable [] left(long job) throws InterruptedException {
    try {
      return read(job, session.onlyOutcome(job)).state();
    } catch (ExecutionException e) {
      return null;
    }
  }

  private void found(long newest, byte @Nullable [] kept) {
    last = newest;
    state = kept;
    known = true;
  }

  private void await(long job) throws InterruptedException {
    boolean settled = false;
    while (!settled) {
      settled = session.rest().get("/api/v1/jobs/" + job + "?wait=30").hasNonNull("settled");
    }
  }

  /**
   * @throws ExecutionException with the reason if the turn did not end with a state
   */
  private ActorTurn.After read(long job, Followed.Outcome outcome)
      throws ExecutionException, InterruptedException {
    byte[] report =
        outcome.stdoutBlob()
            ? session.rest().bytes("/api/v1/tasks/" + job + ".1/stdout")
            : outcome.stdout();
    if (report == null || report.length < Long.BYTES) {
      String why = outcome.error().isEmpty() ? outcome.state() : outcome.error();
      throw new ExecutionException(new RemoteFailureException(Failure.of("", why), classes));
    }
    byte[] told = ByteTable.read(Arrays.copyOfRange(report, Long.BYTES, report.length)).get(0);
    Object value = Values.decode(CallOutcome.content(told), classes);
    if (CallOutcome.of(told) == CallOutcome.VALUE && value instanceof ActorTurn.After after) {
      return after;
    }
    throw new ExecutionException(Mailbox.thrown(value, classes));
  }

  /** The end of a turn; the job goes on when nobody waits for it any more. */
  private static final class Turn implements Followed {
    private final CompletableFuture<Outcome> end = new CompletableFuture<>();

    @Override
    public void ended(Outcome outcome) {
      end.complete(outcome);
    }

    @Override
    public void settled(boolean allTold) {
      if (allTold) {
        fail(new ImkerException("The server does not know the outcome of a call of an actor."));
      }
    }

    @Override
    public boolean isOver() {
      return end.isDone();
    }

    @Override
    public void cancel() {}

    @Override
    public boolean endsWithProgram() {
      return false;
    }

    @Override
    public void fail(RuntimeException cause) {
      end.completeExceptionally(cause);
    }

    /** Whatever cannot be found out is asked for anew before the next turn. */
    Outcome await() throws InterruptedException {
      try {
        return end.get();
      } catch (ExecutionException e) {
        Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
        throw new ImkerException(String.valueOf(cause.getMessage()), cause);
      }
    }
  }
}
