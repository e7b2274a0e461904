package dev.imker.server.live.shared;

import dev.imker.coord.tasks.Member;
import dev.imker.coord.tasks.Once;
import dev.imker.coord.tasks.RepeatedException;
import dev.imker.coord.tasks.TaskCoordination.Counted;
import dev.imker.coord.tasks.TaskCoordination.Elected;
import dev.imker.coord.tasks.TaskCoordination.Entered;
import dev.imker.coord.tasks.TaskCoordination.Group;
import dev.imker.coord.tasks.TaskCoordination.Held;
import dev.imker.coord.tasks.TaskCoordination.Named;
import dev.imker.coord.tasks.Told;
import dev.imker.model.InputException;
import dev.imker.model.Lease;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.Change;
import dev.imker.model.change.SharedEntryPut;
import dev.imker.model.change.SharedEntryRemoved;
import dev.imker.model.change.SharedThingPut;
import dev.imker.model.change.SharedThingRemoved;
import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedKey;
import dev.imker.model.shared.SharedKind;
import dev.imker.model.shared.SharedThing;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * What tasks can do with what they share. Nothing waits here: what is not so yet is answered with
 * no. What is refused has changed nothing.
 *
 * @param changes takes what is to be written
 */
public record SharedCalls(SharedThings things, Consumer<Change> changes) {
  private static final byte[] NOTHING = new byte[0];

  /** Of a barrier while all are inside. */
  private static final long READY = 1;

  /** Of how many channels of a run the last answer is kept. */
  private static final int CHANNELS = 1000;

  void change(Change change) {
    things.apply(change);
    changes.accept(change);
  }

  /**
   * Whoever asks must still run.
   *
   * @throws RunOverException if it does not
   */
  public void requireOpen(Member self) {
    if (!things.isOpen(self.lease())) {
      throw new RunOverException();
    }
  }

  // ---------------------------------------------------------------- barrier

  public Entered enter(SharedKey key, Member self, int size) {
    SharedThing barrier = things.thing(key);
    boolean inside = things.place(key, self.lease()).isPresent();
    if (barrier.version() == READY) {
      return new Entered(inside, barrier.value());
    }
    if (!inside) {
      takePlace(key, self);
    }
    if (things.line(key).size() >= size) {
      dropGone(key);
    }
    if (things.line(key).size() < size) {
      return new Entered(false, barrier.value());
    }
    long round = barrier.value() + 1;
    change(new SharedThingPut(new SharedThing(key, round, READY, NOTHING)));
    return new Entered(true, round);
  }

  public boolean leave(SharedKey key, Member self, long round) {
    if (things.thing(key).value() == round) {
      things.place(key, self.lease()).ifPresent(this::drop);
    }
    SharedThing barrier = things.thing(key);
    return barrier.value() != round || barrier.version() != READY;
  }

  // ---------------------------------------------------------------- lock and election

  public Held acquire(SharedKey key, Member self) {
    SharedEntry own = stayInLine(key, self);
    boolean held = first(key).filter(one -> one.number() == own.number()).isPresent();
    return new Held(held, held ? own.number() : 0);
  }

  public Elected stand(SharedKey key, Member self) {
    SharedEntry own = stayInLine(key, self);
    SharedEntry leader = first(key).orElse(own);
    return new Elected(leader.task(), leader.number() == own.number());
  }

  /** Gives the place in a line back; whether there was one. */
  public boolean giveUp(SharedKey key, Member self) {
    Optional<SharedEntry> own = things.place(key, self.lease());
    own.ifPresent(this::drop);
    return own.isPresent();
  }

  private SharedEntry stayInLine(SharedKey key, Member self) {
    return things.place(key, self.lease()).orElseGet(() -> takePlace(key, self));
  }

  /** The first one in line that still runs. */
  private Optional<SharedEntry> first(SharedKey key) {
    Optional<SharedEntry> first = things.first(key);
    while (first.isPresent() && !things.isOpen(first.get().lease())) {
      drop(first.get());
      first = things.first(key);
    }
    return first;
  }

  // ---------------------------------------------------------------- counter and named value

  public Counted counter(SharedKey key) {
    SharedThing counter = things.thing(key);
    return new Counted(counter.value(), counter.version());
  }

  public Optional<Counted> set(SharedKey key, Member self, long value, long version, Once once) {
    int question = question(key, "set");
    Optional<Told> told = told(self, once, question);
    if (told.isPresent()) {
      return told.map(SharedCalls::counted);
    }
    return things.thing(key).version() == version
        ? Optional.of(count(key, self, value, once, question))
        : Optional.empty();
  }

  public Counted add(SharedKey key, Member self, long delta, Once once) {
    int question = question(key, "add");
    return told(self, once, question)
        .map(SharedCalls::counted)
        .orElseGet(
            () -> {
              long value = things.thing(key).value();
              long sum = value + delta;
              if (((value ^ sum) & (delta ^ sum)) < 0) {
                throw new InputException(
                    "The counter %s is %d; adding %d would overflow 64 bits."
                        .formatted(key.name(), value, delta));
              }
              return count(key, self, sum, once, question);
            });
  }

  private Counted count(SharedKey key, Member self, long value, Once once, int question) {
    things.room().require(key, 0);
    long version = things.thing(key).version() + 1;
    change(new SharedThingPut(new SharedThing(key, value, version, NOTHING)));
    tell(key, self, once, new Told(once.serial(), question, value, version, NOTHING));
    return new Counted(value, version);
  }

  private static Counted counted(Told told) {
    return new Counted(told.value(), told.version());
  }

  public Named config(SharedKey key) {
    SharedThing thing = things.thing(key);
    return new Named(thing.data(), thing.version());
  }

  public Optional<Named> configure(
      SharedKey key, Member self, byte[] data, OptionalLong version, Once once) {
    int question = question(key, "set");
    Optional<Told> told = told(self, once, question);
    if (told.isPresent()) {
      return Optional.of(new Named(data, told.get().version()));
    }
    long present = things.thing(key).version();
    if (version.isPresent() && version.getAsLong() != present) {
      return Optional.empty();
    }
    things.room().require(key, data.length);
    change(new SharedThingPut(new SharedThing(key, 0, present + 1, data)));
    tell(key, self, once, new Told(once.serial(), question, 0, present + 1, NOTHING));
    return Optional.of(new Named(data, present + 1));
  }

  // ---------------------------------------------------------------- group

  public Group join(SharedKey key, Member self) {
    if (things.place(key, self.lease()).isEmpty()) {
      takePlace(key, self);
      countChange(key);
    }
    return members(key);
  }

  public Group part(SharedKey key, Member self) {
    things.place(key, self.lease()).ifPresent(this::drop);
    return members(key);
  }

  public Group members(SharedKey key) {
    List<String> tasks = things.line(key).stream().map(SharedEntry::task).sorted().toList();
    return new Group(tasks, things.thing(key).version());
  }

  private void countChange(SharedKey key) {
    long version = things.thing(key).version() + 1;
    change(new SharedThingPut(new SharedThing(key, 0, version, NOTHING)));
  }

  // ---------------------------------------------------------------- queue

  public void put(SharedKey key, Member self, byte[] data, Once once) {
    int question = question(key, "put");
    if (told(self, once, question).isEmpty()) {
      things.room().require(key, data.length);
      change(new SharedEntryPut(new SharedEntry(things.nextNumber(this), key, "", "", data)));
      tell(key, self, once, new Told(once.serial(), question, 0, 0, NOTHING));
    }
  }

  /**
   * What was taken.
   *
   * @param again whether it had been taken before, by the same question
   */
  public record Taken(Optional<byte[]> data, boolean again) {}

  public Taken take(SharedKey key, Member self, Once once) {
    int question = question(key, "take");
    Optional<Told> told = told(self, once, question);
    if (told.isPresent()) {
      return new Taken(told.map(Told::data), true);
    }
    Optional<SharedEntry> first = things.first(key);
    first.ifPresent(
        entry -> {
          drop(entry);
          tell(key, self, once, new Told(once.serial(), question, 0, 0, entry.data()));
        });
    return new Taken(first.map(SharedEntry::data), false);
  }

  // ---------------------------------------------------------------- going

  /** A run is over: it holds nothing any more, and nobody waits for it. */
  public void depart(String lease) {
    SharedRun run = things.run(lease);
    if (run != null) {
      List.copyOf(run.places().values()).forEach(this::drop);
      List.copyOf(run.told().values()).forEach(this::drop);
    }
  }

  /**
   * Runs that have come to their end share nothing any more.
   *
   * @param happened to which this adds what comes of it
   */
  public void departEnded(List<Change> happened) {
    for (int i = 0, end = happened.size(); !things.leases().isEmpty() && i < end; i++) {
      if (happened.get(i) instanceof AttemptEnded over) {
        depart(new Lease(over.task(), over.token()).text());
      }
    }
  }

  /** Drops all runs that are over, such as those whose end was written by somebody else. */
  public void departGone() {
    things.leases().stream().filter(lease -> !things.isOpen(lease)).toList().forEach(this::depart);
  }

  /**
   * Forgets something of a scope.
   *
   * @param most how much
   * @return whether there is more
   */
  public boolean forget(String scope, int most) {
    int left = most;
    for (SharedKey key : things.keys(scope)) {
      List<SharedEntry> line = things.line(key).stream().limit(left).toList();
      line.forEach(entry -> change(new SharedEntryRemoved(entry)));
      left -= line.size();
      if (left <= 0) {
        return true;
      }
      change(new SharedThingRemoved(key));
      left--;
    }
    return false;
  }

  private void dropGone(SharedKey key) {
    Collection<SharedEntry> line = things.line(key);
    line.stream().filter(entry -> !things.isOpen(entry.lease())).toList().forEach(this::drop);
  }

  private void drop(SharedEntry entry) {
    change(new SharedEntryRemoved(entry));
    SharedKey key = entry.key();
    if (key.kind() == SharedKind.GROUP) {
      countChange(key);
    } else if (key.kind() == SharedKind.BARRIER) {
      SharedThing barrier = things.thing(key);
      if (barrier.version() == READY && things.line(key).isEmpty()) {
        change(new SharedThingPut(new SharedThing(key, barrier.value(), 0, NOTHING)));
      }
    }
  }

  private SharedEntry takePlace(SharedKey key, Member self) {
    things.room().require(key, 0);
    SharedEntry entry =
        new SharedEntry(things.nextNumber(this), key, self.task(), self.lease(), NOTHING);
    change(new SharedEntryPut(entry));
    return entry;
  }

  // ---------------------------------------------------------------- once

  private static int question(SharedKey key, String action) {
    String kind = key.kind().name().toLowerCase(Locale.ROOT);
    return Told.question(key.scope(), kind, key.name(), action);
  }

  /** What was answered when this was asked before. */
  private Optional<Told> told(Member self, Once once, int question) {
    SharedRun run = once.isNone() ? null : things.run(self.lease());
    SharedEntry entry = run == null ? null : run.told().get(once.channel());
    try {
      return Optional.ofNullable(entry)
          .map(kept -> Told.of(kept.data()))
          .filter(told -> told.answers(once, question));
    } catch (RepeatedException e) {
      throw new MarkException(String.valueOf(e.getMessage()));
    }
  }

  private void tell(SharedKey about, Member self, Once once, Told told) {
    if (once.isNone()) {
      return;
    }
    SharedKey key = new SharedKey(about.scope(), SharedKind.ANSWER, once.channel());
    SharedRun run = things.run(self.lease());
    SharedEntry former = run == null ? null : run.told().get(once.channel());
    if (former != null && !former.key().equals(key)) {
      drop(former); // asked in another scope
      former = null;
    } else if (run != null && former == null && run.told().size() >= CHANNELS) {
      drop(run.told().firstEntry().getValue());
    }
    long number = former == null ? things.nextNumber(this) : former.number();
    change(
        new SharedEntryPut(new SharedEntry(number, key, self.task(), self.lease(), told.bytes())));
  }
}
