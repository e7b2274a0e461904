package dev.imker.server.drop;

import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.account.DropItem;
import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.DropPlace.Claim;
import dev.imker.server.internal.drop.place.DropPlace.Waiting;
import dev.imker.server.internal.drop.place.ResultTarget;
import dev.imker.server.loop.NotLeadingException;
import dev.imker.server.loop.PoolUnavailableException;
import dev.imker.store.StoreException;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a drop folder and the database together, turn by turn. What is to be done is decided by
 * the database alone, with one exception: a running file that is no longer there was taken away by
 * its owner.
 *
 * <p>Every step is first written down, then shown, then marked as shown. So whatever a crash leaves
 * half done, the next turn does again, to the same effect:
 *
 * <pre>
 * inbox -> claimed -> RUNNING (jobs submitted under the file's id) -> shown in running
 *                  -> DONE or FAILED -> results written, shown in done or failed
 *                  -> WITHDRAWN -> jobs cancelled
 * </pre>
 */
final class DropKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(DropKeeper.class);
  private static final long PROGRESS_EVERY_NANOS = 5_000_000_000L;

  private final DropPlace place;
  private final DropLedger ledger;
  private final DropWork work;
  private final Clock clock;
  private final Settled settled;
  private final FileTroubles troubles = new FileTroubles();
  private final Map<String, Long> toldNanos = new HashMap<>();

  DropKeeper(DropPlace place, DropLedger ledger, DropWork work, Clock clock, long quietMillis) {
    this.place = place;
    this.ledger = ledger;
    this.work = work;
    this.clock = clock;
    this.settled = new Settled(quietMillis);
  }

  /** Does all that can be done now; returns whether there is something to come back for soon. */
  boolean turn() throws IOException, InterruptedException {
    place.signOfLife(
        ledger.open(place.name()).stream().filter(DropItem::shown).map(DropKeeper::claim).toList());
    Set<String> present = new HashSet<>();
    for (Claim claim : place.claims()) {
      present.add(claim.path());
      if (ledger.item(claim.id()).isEmpty()) {
        attempt(claim.path(), () -> take(claim));
      }
    }
    for (DropItem item : ledger.open(place.name())) {
      attempt(item.path(), () -> advance(item));
    }
    DropPlace.Inbox inbox = place.inbox();
    inbox.waiting().forEach(file -> present.add(file.path()));
    for (Waiting file : settled.of(inbox.waiting(), System.nanoTime())) {
      attempt(file.path(), () -> claim(file));
    }
    List<DropItem> open = ledger.open(place.name());
    open.forEach(item -> present.add(item.path()));
    troubles.onlyOf(present);
    troubles.unusable(inbox.unusable());
    troubles.show(place);
    return !inbox.waiting().isEmpty() || !open.isEmpty();
  }

  /** What keeps files from being worked on at the moment; empty if nothing does. */
  String trouble() {
    return troubles.summary();
  }

  /** A step of the work on one file. */
  @FunctionalInterface
  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  /** The trouble with a file is its own: all others go on. */
  private void attempt(String path, Step step) throws InterruptedException {
    if (troubles.isPaused(path)) {
      return;
    }
    try {
      step.run();
      troubles.over(path);
    } catch (PoolUnavailableException | NotLeadingException | StoreException e) {
      throw e; // not the fault of the file, and the same for all others
    } catch (IOException | ImkerException e) {
      troubles.met(path, FileTroubles.words(e));
    } catch (RuntimeException | StackOverflowError e) {
      LOG.error("{} in the drop folder {} cannot be processed", path, place.name(), e);
      troubles.met(path, "Internal error in Imker (" + e + "). Please report it with this file.");
    }
  }

  // ---------------------------------------------------------------- taking

  /** A second file of the same name has to wait for the first. */
  private void claim(Waiting file) throws IOException, InterruptedException {
    Set<String> busy =
        ledger.open(place.name()).stream().map(DropItem::path).collect(Collectors.toSet());
    if (busy.contains(file.path()) || place.isRunning(file.path())) {
      return;
    }
    String id = UUID.randomUUID().toString();
    if (place.claim(id, file)) {
      take(new Claim(id, file.path()));
    }
  }

  private void take(Claim claim) throws IOException, InterruptedException {
    Optional<byte[]> content = place.read(claim);
    if (content.isEmpty()) {
      place.giveBack(claim);
      return;
    }
    BlobId blob = work.keep(content.get());
    long now = clock.millis();
    DropItem item =
        new DropItem(
            claim.id(),
            place.name(),
            claim.path(),
            blob,
            DropItem.State.RUNNING,
            false,
            List.of(),
            "",
            now,
            now);
    ledger.put(item);
    advance(item);
  }

  // ---------------------------------------------------------------- going on

  private void advance(DropItem item) throws IOException, InterruptedException {
    switch (item.state()) {
      case RUNNING -> run(item);
      case DONE, FAILED -> end(item);
      case WITHDRAWN -> withdraw(item);
    }
  }

  private void run(DropItem item) throws IOException, InterruptedException {
    DropItem current = item;
    if (current.jobs().isEmpty()) {
      DropWork.Submission submission = work.submit(current, place.files(current.path()));
      if (!submission.cause().isEmpty()) {
        become(current, DropItem.State.FAILED, submission.cause());
        return;
      }
      current = current.withJobs(submission.jobs(), clock.millis());
      ledger.put(current);
    }
    if (!current.shown()) {
      show(current);
    } else if (!place.has(claim(current)) || !place.isStillRunning(claim(current))) {
      become(current, DropItem.State.WITHDRAWN, "");
    } else {
      follow(current);
    }
  }

  private void show(DropItem item) throws IOException, InterruptedException {
    switch (place.showRunning(claim(item))) {
      case SHOWN -> {
        ledger.put(item.asShown(clock.millis()));
        place.release(claim(item));
      }
      case OCCUPIED -> follow(item);
      case GONE -> become(item, DropItem.State.WITHDRAWN, "");
    }
  }

  private void follow(DropItem item) throws IOException, InterruptedException {
    DropWork.Story story = work.story(item.jobs());
    if (story.settled()) {
      boolean done = story.cause().isEmpty();
      become(item, done ? DropItem.State.DONE : DropItem.State.FAILED, story.cause());
      return;
    }
    long now = System.nanoTime();
    Long told = toldNanos.get(item.id());
    if (item.shown() && (told == null || now - told > PROGRESS_EVERY_NANOS)) {
      place.showProgress(item.path(), work.progress(item.jobs()));
      toldNanos.put(item.id(), now);
    }
  }

  private void become(DropItem item, DropItem.State state, String cause)
      throws IOException, InterruptedException {
    DropItem changed = item.as(state, cause, clock.millis());
    ledger.put(changed);
    advance(changed);
  }

  // ---------------------------------------------------------------- ending

  private void end(DropItem item) throws IOException, InterruptedException {
    if (place.has(claim(item))) {
      writeResults(item);
      place.showEnd(claim(item), work.content(item.content()), item.cause());
    }
    close(item);
  }

  private void withdraw(DropItem item) throws IOException, InterruptedException {
    work.cancel(item.jobs());
    if (work.story(item.jobs()).settled()) {
      if (place.has(claim(item))) { // else what is shown is another server's
        writeResults(item);
        place.showProgress(item.path(), "");
        place.forget(claim(item));
      }
      close(item);
    }
  }

  private void close(DropItem item) throws InterruptedException {
    ledger.put(item.asShown(clock.millis()));
    toldNanos.remove(item.id());
  }

  private void writeResults(DropItem item) throws IOException {
    if (item.jobs().isEmpty()) {
      return;
    }
    try (ResultTarget target = new DistinctNames(place.results(claim(item)))) {
      work.results(item.jobs(), target);
      target.finish();
    } catch (NotLeadingException e) {
      throw e;
    } catch (ImkerException e) {
      throw new IOException("The results of " + item.path() + ": " + e.getMessage(), e);
    }
  }

  private static Claim claim(DropItem item) {
    return new Claim(item.id(), item.path());
  }
}
