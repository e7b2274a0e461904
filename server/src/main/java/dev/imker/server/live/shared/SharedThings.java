package dev.imker.server.live.shared;

import dev.imker.model.change.Change;
import dev.imker.model.change.SettingPut;
import dev.imker.model.change.SharedEntryPut;
import dev.imker.model.change.SharedEntryRemoved;
import dev.imker.model.change.SharedThingPut;
import dev.imker.model.change.SharedThingRemoved;
import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedKey;
import dev.imker.model.shared.SharedKind;
import dev.imker.model.shared.SharedThing;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What running tasks share: locks, barriers, counters, queues and the like. It is changed by {@link
 * #apply} only, with the same records that are written, so that a server that reads them has the
 * same. Belongs to the loop's thread.
 */
public final class SharedThings {
  /** Up to which number entries may have been numbered, kept in steps of many. */
  public static final String NUMBERED = "shared.numbered";

  private static final long NUMBERS_AT_ONCE = 1 << 20;
  private static final int EPOCH_SHIFT = 32;
  private static final byte[] NOTHING = new byte[0];

  private final Map<SharedKey, SharedThing> things = new HashMap<>();
  private final Map<SharedKey, NavigableMap<Long, SharedEntry>> lines = new HashMap<>();
  private final Map<String, SharedRun> runs = new HashMap<>();
  private final Map<String, Set<SharedKey>> scopes = new HashMap<>();
  private final SharedRoom room;
  private final SharedRuns going;
  private long lastNumber;
  private long numbered;

  /**
   * @param setting reads a durable setting
   */
  public SharedThings(long epoch, SharedRuns going, Function<String, Optional<String>> setting) {
    this.going = going;
    this.room = new SharedRoom(going::owner);
    numbered = setting.apply(NUMBERED).map(Long::parseLong).orElse(0L);
    lastNumber = Math.max(numbered, epoch << EPOCH_SHIFT);
  }

  /** Does to the memory what is, or is going to be, written. Other changes are none of its. */
  public void apply(Change change) {
    switch (change) {
      case SharedThingPut put -> put(put.thing());
      case SharedThingRemoved gone -> remove(gone.key());
      case SharedEntryPut put -> put(put.entry());
      case SharedEntryRemoved gone -> remove(gone.entry());
      case SettingPut put when put.key().equals(NUMBERED) ->
          numbered = Math.max(numbered, Long.parseLong(put.value()));
      default -> {}
    }
  }

  public void put(SharedThing thing) {
    SharedThing former = things.put(thing.key(), thing);
    if (former != null) {
      room.leave(thing.key(), former.data().length);
    }
    room.take(thing.key(), thing.data().length);
    know(thing.key());
  }

  private void remove(SharedKey key) {
    SharedThing former = things.remove(key);
    if (former != null) {
      room.leave(key, former.data().length);
      forgetUnused(key);
    }
  }

  public void put(SharedEntry entry) {
    SharedEntry former =
        lines.computeIfAbsent(entry.key(), _ -> new TreeMap<>()).put(entry.number(), entry);
    if (former != null) {
      room.leave(entry.key(), former.data().length);
    }
    room.take(entry.key(), entry.data().length);
    know(entry.key());
    if (!entry.lease().isEmpty()) {
      SharedRun run = runs.computeIfAbsent(entry.lease(), _ -> new SharedRun());
      if (entry.key().kind() == SharedKind.ANSWER) {
        run.told().remove(entry.key().name());
        run.told().put(entry.key().name(), entry);
      } else {
        run.places().put(entry.key(), entry);
      }
    }
    lastNumber = Math.max(lastNumber, entry.number());
  }

  private void remove(SharedEntry entry) {
    NavigableMap<Long, SharedEntry> line = lines.get(entry.key());
    SharedEntry former = line == null ? null : line.remove(entry.number());
    if (line == null || former == null) {
      return;
    }
    room.leave(entry.key(), former.data().length);
    if (line.isEmpty()) {
      lines.remove(entry.key());
      forgetUnused(entry.key());
    }
    SharedRun run = runs.get(entry.lease());
    if (run != null) {
      if (entry.key().kind() == SharedKind.ANSWER) {
        run.told().remove(entry.key().name(), former);
      } else {
        run.places().remove(entry.key());
      }
      if (run.isEmpty()) {
        runs.remove(entry.lease());
      }
    }
  }

  private void know(SharedKey key) {
    scopes.computeIfAbsent(key.scope(), _ -> new HashSet<>()).add(key);
  }

  private void forgetUnused(SharedKey key) {
    Set<SharedKey> keys = scopes.get(key.scope());
    if (keys != null && !things.containsKey(key) && !lines.containsKey(key)) {
      keys.remove(key);
      if (keys.isEmpty()) {
        scopes.remove(key.scope());
      }
    }
  }

  // ---------------------------------------------------------------- looking

  /** As it is, or would be if nothing was ever put there. */
  SharedThing thing(SharedKey key) {
    SharedThing thing = things.get(key);
    return thing == null ? new SharedThing(key, 0, 0, NOTHING) : thing;
  }

  /** What is in line for it, by number. */
  public Collection<SharedEntry> line(SharedKey key) {
    NavigableMap<Long, SharedEntry> line = lines.get(key);
    return line == null ? List.of() : Collections.unmodifiableCollection(line.values());
  }

  /** What is first in line. */
  public Optional<SharedEntry> first(SharedKey key) {
    NavigableMap<Long, SharedEntry> line = lines.get(key);
    return line == null ? Optional.empty() : Optional.of(line.firstEntry().getValue());
  }

  /** The place of a run in a line. */
  Optional<SharedEntry> place(SharedKey key, String lease) {
    SharedRun run = runs.get(lease);
    return run == null ? Optional.empty() : Optional.ofNullable(run.places().get(key));
  }

  /** Where a run takes part; null if it does not. */
  @Nullable SharedRun run(String lease) {
    return runs.get(lease);
  }

  /** Whether a run goes on. */
  public boolean isOpen(String lease) {
    return going.isOpen(lease);
  }

  /** The leases of all runs that take part. */
  Set<String> leases() {
    return runs.keySet();
  }

  /** The programs outside of the pool that take part. */
  public List<ProgramMember> programs() {
    return runs.keySet().stream().flatMap(lease -> ProgramMember.of(lease).stream()).toList();
  }

  /** Names of all scopes that something is known of. */
  public List<String> scopes() {
    return List.copyOf(scopes.keySet());
  }

  Set<SharedKey> keys(String scope) {
    return Set.copyOf(Objects.requireNonNullElse(scopes.get(scope), Set.of()));
  }

  SharedRoom room() {
    return room;
  }

  /** The next number; what is kept of it goes to the changes first. */
  long nextNumber(SharedCalls calls) {
    lastNumber++;
    if (lastNumber > numbered) {
      calls.change(new SettingPut(NUMBERED, Long.toString(lastNumber + NUMBERS_AT_ONCE)));
    }
    return lastNumber;
  }

  /**
   * @throws IllegalStateException if what is kept twice is not the same
   */
  public void checkInvariants() {
    long inLines = lines.values().stream().mapToLong(Map::size).sum();
    long withoutRun =
        lines.values().stream()
            .flatMap(line -> line.values().stream())
            .filter(entry -> entry.lease().isEmpty())
            .count();
    long ofRuns =
        runs.values().stream().mapToLong(run -> run.places().size() + run.told().size()).sum();
    if (inLines != withoutRun + ofRuns) {
      throw new IllegalStateException(
          "%d entries in lines, %d of runs and %d of none".formatted(inLines, ofRuns, withoutRun));
    }
  }
}
