package dev.imker.server.internal.notify;

import dev.imker.model.ImkerException;
import dev.imker.model.account.Notice;
import dev.imker.model.change.NoticeTried;
import dev.imker.server.internal.settings.PoolSettings;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.NoticeReads;
import dev.imker.store.Reads;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what is in the outbox, on a thread of its own. Before a notice is sent that is written
 * down; so after a crash those are known whose fate is not, and they are not sent a second time.
 */
public final class NoticeOffice implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NoticeOffice.class);
  private static final long POLL_MILLIS = 500;
  private static final int MAX_AT_ONCE = 50;
  private static final int MAX_TRIES = 20;
  private static final long LONGEST_PAUSE_MILLIS = 3_600_000;

  /** What the office works with; {@code secretOf} tells what a user's hooks are signed with. */
  public record Parts(
      SchedulerLoop loop,
      Reads reads,
      NoticeReads notices,
      PoolSettings settings,
      Vertx vertx,
      String pool,
      Supplier<List<String>> urls,
      UnaryOperator<String> secretOf,
      QueueAlarm queue,
      Clock clock) {}

  private final Parts parts;
  private final Digests digests;
  private final MailSender mail;
  private final HookSender hooks;
  private final QueueAlarm.Hook queueHook = queueHook();
  private final Thread thread;

  public NoticeOffice(Parts parts) {
    this.parts = parts;
    digests =
        new Digests(
            parts.reads,
            parts.pool,
            () -> parts.settings.get("server.url", parts.urls.get().getFirst()));
    mail = new MailSender(parts.settings);
    hooks = new HookSender(parts.vertx, parts.settings, parts.secretOf);
    thread = Thread.ofVirtual().name("imker-notices").unstarted(this::run);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    try {
      boolean settled = false;
      while (!Thread.currentThread().isInterrupted()) {
        settled = settled || tried("cannot tell what was being sent", this::giveUpUnknown);
        if (settled) {
          tried("notices wait", this::sendDue);
          tried("cannot tell the length of the queue", this::lookAtQueue);
        }
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("No further notices are sent");
    }
  }

  private void giveUpUnknown() throws InterruptedException {
    for (Notice notice : parts.notices.sending()) {
      note(
          notice,
          Notice.State.GIVEN_UP,
          notice.tries(),
          0,
          "The server stopped while this was being sent; it may have arrived, so it is not sent"
              + " again.");
    }
  }

  private interface Step {
    void run() throws InterruptedException;
  }

  /** Whatever goes wrong, the next notices are sent. */
  private static boolean tried(String otherwise, Step step) throws InterruptedException {
    try {
      step.run();
      return true;
    } catch (ImkerException e) {
      if (Thread.interrupted()) { // in the middle of a read: the server stops
        throw new InterruptedException(e.getMessage());
      }
      LOG.warn("{}: {}", otherwise, e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("{}", otherwise, e);
    }
    return false;
  }

  private void sendDue() throws InterruptedException {
    for (Notice notice : parts.notices.due(parts.clock.millis(), MAX_AT_ONCE)) {
      send(notice);
    }
  }

  private void lookAtQueue() throws InterruptedException {
    parts.queue.look(parts.pool, digests.url().get() + "/", queueHook);
  }

  private QueueAlarm.Hook queueHook() {
    return new QueueAlarm.Hook() {
      @Override
      public void call(String address, String owner, String delivery, Map<String, Object> body)
          throws InterruptedException {
        hooks.send(delivery, address, owner, body, parts.clock.millis() / 1000);
      }

      @Override
      public long pauseMillis(int tries) {
        return NoticeOffice.this.pauseMillis(tries);
      }
    };
  }

  private void send(Notice notice) throws InterruptedException {
    int tries = notice.tries() + 1;
    note(notice, Notice.State.SENDING, tries, 0, "");
    try {
      Optional<Digest> digest = digests.of(notice);
      if (digest.isPresent()) {
        deliver(notice, digest.get());
      }
      note(notice, Notice.State.SENT, tries, 0, "");
    } catch (NotDeliveredException e) {
      boolean over = e.isFinal() || tries >= MAX_TRIES;
      LOG.info(
          "Notice {} of job {} was not delivered: {}", notice.id(), notice.job(), e.getMessage());
      note(
          notice,
          over ? Notice.State.GIVEN_UP : Notice.State.WAITING,
          tries,
          parts.clock.millis() + pauseMillis(tries),
          String.valueOf(e.getMessage()));
    } catch (ImkerException e) {
      throw e; // the server's trouble, not the notice's
    } catch (RuntimeException e) {
      LOG.error("Cannot create notice {} of job {}", notice.id(), notice.job(), e);
      note(notice, Notice.State.GIVEN_UP, tries, 0, "The server could not create this notice.");
    }
  }

  private void deliver(Notice notice, Digest digest) throws InterruptedException {
    switch (notice.channel()) {
      case MAIL -> mail.send(notice.id(), notice.address(), digest);
      case WEB_HOOK ->
          hooks.send(
              Long.toString(notice.id()),
              notice.address(),
              digest.user(),
              digest.json(notice.id()),
              parts.clock.millis() / 1000);
    }
  }

  private long pauseMillis(int tries) {
    long first = 1000 * Long.parseLong(parts.settings.get("notices.retry-seconds", "10"));
    return Math.min(LONGEST_PAUSE_MILLIS, first << Math.min(tries - 1, 20));
  }

  private void note(Notice notice, Notice.State state, int tries, long nextMillis, String error)
      throws InterruptedException {
    try {
      parts
          .loop
          .record(List.of(new NoticeTried(notice.id(), state, tries, nextMillis, error)))
          .get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ImkerException known
          ? known
          : new IllegalStateException(e.getCause());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    parts.queue.stop();
  }
}
