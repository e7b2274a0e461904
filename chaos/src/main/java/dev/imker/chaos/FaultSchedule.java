package dev.imker.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** What happens, and when: the same for the same seed. */
final class FaultSchedule {
  private static final long SHORTEST_PAUSE_MILLIS = 100;
  private static final long PAUSE_SPREAD_MILLIS = 1500;

  private final Random random;
  private final List<FaultKind> bag;
  private final long calmMillis;

  public FaultSchedule(long seed) {
    this(seed, EnumSet.allOf(FaultKind.class), false, 0);
  }

  /** Each kind as often as it weighs, or all alike. */
  private static List<FaultKind> bag(Set<FaultKind> only, boolean alike) {
    List<FaultKind> bag = new ArrayList<>();
    for (FaultKind kind : FaultKind.values()) {
      if (only.contains(kind)) {
        bag.addAll(Collections.nCopies(alike ? 1 : kind.weight(), kind));
      }
    }
    return bag;
  }

  /**
   * @param only what happens; not empty
   * @param alike whether each of them is as likely as the others
   * @param calmMillis passes before each, besides what chance adds
   */
  FaultSchedule(long seed, Set<FaultKind> only, boolean alike, long calmMillis) {
    random = new Random(seed);
    this.bag = bag(only, alike);
    this.calmMillis = calmMillis;
  }

  public Fault next() {
    FaultKind kind = bag.get(random.nextInt(bag.size()));
    long pause = calmMillis + SHORTEST_PAUSE_MILLIS + random.nextLong(PAUSE_SPREAD_MILLIS);
    int choice = random.nextInt(1 << 20);
    return new Fault(kind, pause, choice, lasts(kind));
  }

  private long lasts(FaultKind kind) {
    return switch (kind) {
      case KILL_LEADER, DEAFEN_STANDBYS, KILL_STANDBY, KILL_AGENT, KILL_ZOOKEEPER ->
          between(200, 3000);
      case KILL_DATABASE, RESTART_DATABASE, FILL_DISK_OF_DATABASE -> between(200, 6000);
      case RESTART_EVERYTHING -> between(200, 2000);
      // Longer than it takes to be replaced, so that they wake up in a pool that went on.
      case STOP_LEADER, STOP_STANDBY -> between(9_000, 14_000);
      case STOP_AGENT, CUT_AGENT_OFF -> between(1_000, 12_000);
      case CUT_LEADER_FROM_DATABASE, CUT_LEADER_FROM_AGENTS, CUT_SERVER_OFF ->
          between(2_000, 12_000);
      case LOSE_PACKETS_OF_SERVER, LOSE_PACKETS_OF_AGENT -> between(3_000, 10_000);
      case JUMP_CLOCK -> between(2_000, 10_000);
      case FILL_DISK_OF_AGENT, FILL_DISK_OF_SERVER -> between(1_000, 8_000);
      // Longer than every patience: 30 s of the store, 2 min of a socket.
      case LOSE_POWER_OF_LEADER,
          STOP_LEADER_FOR_MINUTES,
          LOSE_DATABASE_FOR_MINUTES,
          STOP_AGENT_FOR_MINUTES ->
          between(130_000, 200_000);
      case RESTORE_BACKUP -> between(3_000, 6_000);
    };
  }

  private long between(long from, long to) {
    return from + random.nextLong(to - from);
  }
}
