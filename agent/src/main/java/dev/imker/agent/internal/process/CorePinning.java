package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.PrivateFolder;
import dev.imker.model.job.Requirements;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the cores on which tasks run: whole amounts get cores of their own, parts share one with
 * other parts. Whoever finds none that is free runs on all that are offered, and so does everybody
 * where more are offered than the machine has.
 *
 * <p>Several agents may serve on one machine, in one process or in several; each core that one of
 * them has taken is locked in a file that all agents of one user know, of which nothing is ever
 * read. Those of different users do not know each other.
 */
public final class CorePinning {
  private static final Logger LOG = LoggerFactory.getLogger(CorePinning.class);

  private static final int NO_CORE = -1;

  /** Cores of a task. */
  public record Place(BitSet whole, int shared, int share) {
    /** None of its own. */
    public static final Place ANYWHERE = new Place(new BitSet(), NO_CORE, 0);

    boolean isAnywhere() {
      return whole.isEmpty() && shared == NO_CORE;
    }

    BitSet cores() {
      BitSet all = (BitSet) whole.clone();
      if (shared != NO_CORE) {
        all.set(shared);
      }
      return all;
    }
  }

  private final BitSet machine;
  private final IntSupplier offered;
  private final @Nullable FileChannel locks;
  private final Map<Integer, Optional<FileLock>> taken = new HashMap<>();
  private final Map<Integer, Integer> shares = new HashMap<>();

  /**
   * @param machine the cores that the agent itself may use; empty if the system does not tell
   * @param offered how many of them tasks may use
   */
  public CorePinning(BitSet machine, IntSupplier offered) {
    this(machine, offered, OfMachine.LOCKS);
  }

  CorePinning(BitSet machine, IntSupplier offered, @Nullable FileChannel locks) {
    this.machine = (BitSet) machine.clone();
    this.offered = offered;
    this.locks = locks;
  }

  /** Those of this machine; null if there can be none, so that agents do not know each other. */
  private static final class OfMachine {
    static final @Nullable FileChannel LOCKS = open();

    private static @Nullable FileChannel open() {
      String given = System.getProperty("imker.core.locks");
      try {
        int user = PrivateFolder.ownUser();
        return CorePinning.open(
            given != null
                ? List.of(Path.of(given))
                : List.of(
                    Path.of("/run/imker-cores"),
                    Path.of("/run/user/" + user, "imker-cores"),
                    Path.of(System.getProperty("java.io.tmpdir"), "imker-cores-" + user)));
      } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
        LOG.debug("Cannot coordinate cores with other agents: {}", e.getMessage());
        return null;
      }
    }
  }

  /**
   * Takes the first folder that is for agents of this user only, because whoever may open the file
   * may take all cores for theirs. The file is never closed: closing any descriptor of it would
   * give up the locks of the process.
   */
  static FileChannel open(List<Path> folders) throws IOException {
    for (Path folder : folders) {
      if (PrivateFolder.make(folder)) {
        return FileChannel.open(
            folder.resolve("locks"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      }
    }
    throw new IOException("none of " + folders + " is only this user's");
  }

  /** Cores for a task, which has to give them back. */
  public Place take(long hundredths) {
    return take(hundredths, NO_CORE);
  }

  /** As above, with this one among them if it is free. */
  public synchronized Place take(long hundredths, int preferred) {
    BitSet candidates = candidates();
    BitSet whole = new BitSet();
    int wanted = (int) (hundredths / Requirements.HUNDREDTHS);
    int share = (int) (hundredths % Requirements.HUNDREDTHS);
    if (wanted > 0 && preferred >= 0 && candidates.get(preferred) && lock(preferred)) {
      whole.set(preferred);
    }
    for (int core = candidates.length(); core-- > 0 && whole.cardinality() < wanted; ) {
      if (candidates.get(core) && lock(core)) {
        whole.set(core);
      }
    }
    int shared = whole.cardinality() == wanted && share > 0 ? share(candidates, share) : NO_CORE;
    Place place = new Place(whole, shared, shared == NO_CORE ? 0 : share);
    if (whole.cardinality() < wanted || (share > 0 && shared == NO_CORE)) {
      giveBack(place);
      return Place.ANYWHERE;
    }
    return place;
  }

  /** The fullest one that has room, so that others stay whole. */
  private int share(BitSet candidates, int share) {
    int best = NO_CORE;
    for (Map.Entry<Integer, Integer> one : shares.entrySet()) {
      boolean fits = one.getValue() + share <= Requirements.HUNDREDTHS;
      if (fits && (best == NO_CORE || one.getValue() > shares.getOrDefault(best, 0))) {
        best = one.getKey();
      }
    }
    for (int core = candidates.length(); core-- > 0 && best == NO_CORE; ) {
      if (candidates.get(core) && lock(core)) {
        best = core;
      }
    }
    if (best != NO_CORE) {
      shares.merge(best, share, Integer::sum);
    }
    return best;
  }

  public synchronized void giveBack(Place place) {
    place.whole.stream().forEach(this::unlock);
    if (place.shared == NO_CORE) {
      return;
    }
    int rest = shares.merge(place.shared, -place.share, Integer::sum);
    if (rest == 0) {
      shares.remove(place.shared);
      unlock(place.shared);
    }
  }

  /** Where a task may run; empty if on every core of the machine. */
  public BitSet cores(Place place) {
    return place.isAnywhere() ? offered() : place.cores();
  }

  /** The cores that are offered; empty if all of the machine are. */
  public BitSet offered() {
    BitSet candidates = candidates();
    return candidates.equals(machine) ? new BitSet() : candidates;
  }

  /** The last ones: interrupts and the owner's programs tend to sit on the first. */
  private BitSet candidates() {
    BitSet last = (BitSet) machine.clone();
    int count = offered.getAsInt();
    if (count > machine.cardinality()) {
      last.clear();
    }
    while (last.cardinality() > count) {
      last.clear(last.nextSetBit(0));
    }
    return last;
  }

  private boolean lock(int core) {
    if (taken.containsKey(core)) {
      return false;
    }
    FileLock lock = null;
    if (locks != null) {
      try {
        lock = locks.tryLock(core, 1, false);
        if (lock == null) {
          return false; // another process has it
        }
      } catch (OverlappingFileLockException e) {
        return false; // another agent of this process has it
      } catch (IOException e) {
        LOG.debug("Cannot coordinate core {} with other agents: {}", core, e.getMessage());
      }
    }
    taken.put(core, Optional.ofNullable(lock));
    return true;
  }

  private void unlock(int core) {
    FileLock lock = Objects.requireNonNull(taken.remove(core)).orElse(null);
    if (lock != null) {
      try {
        lock.release();
      } catch (IOException e) {
        LOG.debug("Core {} stays locked for other agents: {}", core, e.getMessage());
      }
    }
  }
}
