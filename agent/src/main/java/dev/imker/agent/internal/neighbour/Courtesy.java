package dev.imker.agent.internal.neighbour;

import dev.imker.agent.internal.policy.Neighbour;

/**
 * Decides when tasks are frozen and when one is given back. Independent of clock and machine: both
 * are arguments, and time never goes back.
 */
public final class Courtesy {
  /** Input more recent than this means that the owner is working. */
  static final long ACTIVE_MILLIS = 2_000;

  /** A task that was given back needs a moment until its memory shows up as free. */
  static final long MEMORY_PAUSE_MILLIS = 3_000;

  /**
   * @param pause why tasks are to be frozen; empty: they run
   * @param shrink why only some cores are left to tasks; empty: all are
   * @param giveBackYoungest whether memory is so short that the youngest task has to go
   * @param giveBackFrozen whether they were frozen for so long that they better go elsewhere
   */
  public record Decision(
      String pause, String shrink, boolean giveBackYoungest, boolean giveBackFrozen) {}

  private static final long NEVER = Long.MIN_VALUE;

  private final Neighbour terms;
  private boolean wanted;
  private String ordered = "";
  private String why = "";
  private long quietSinceMillis = NEVER;
  private long pausedSinceMillis = NEVER;
  private long givenBackMillis = NEVER;

  public Courtesy(Neighbour terms) {
    this.terms = terms;
  }

  /** The owner freezes or resumes tasks. */
  public synchronized void pauseByHand(boolean on) {
    wanted = on;
  }

  /** The pool freezes tasks for a reason, or resumes them if it is empty. */
  public synchronized void pauseByPool(String reason) {
    ordered = reason;
  }

  public synchronized Decision decide(long nowMillis, Observation seen) {
    String disturbed = disturbance(seen);
    if (!disturbed.isEmpty()) {
      why = disturbed;
      quietSinceMillis = NEVER;
    } else if (!why.isEmpty()) {
      quietSinceMillis = quietSinceMillis == NEVER ? nowMillis : quietSinceMillis;
      if (nowMillis - quietSinceMillis >= neededQuietMillis(seen)) {
        why = "";
      }
    }
    String pause = pause(seen);
    String shrink = terms.shrinkToCores() > 0 ? why : "";
    boolean tooLong = isTooLong(nowMillis, pause.isEmpty() ? shrink : pause);
    return new Decision(pause, shrink, memoryIsShort(nowMillis, seen), tooLong);
  }

  private String pause(Observation seen) {
    if (wanted) {
      return "by its owner";
    }
    if (!seen.lent()) {
      return "outside its active hours";
    }
    if (!seen.trouble().isEmpty()) {
      return seen.trouble();
    }
    return why.isEmpty() || terms.shrinkToCores() > 0 ? ordered : why;
  }

  /** Time without input counts from the last input, not from when we noticed its absence. */
  private long neededQuietMillis(Observation seen) {
    boolean longAlone = seen.ownerIdleMillis() >= terms.idleMillis();
    return terms.watchesOwner() && terms.othersLoad() <= 0 && longAlone ? 0 : terms.idleMillis();
  }

  private String disturbance(Observation seen) {
    if (terms.watchesOwner() && seen.ownerIdleMillis() < ACTIVE_MILLIS) {
      return "its owner is using it";
    }
    if (terms.othersLoad() > 0 && seen.othersLoad() > terms.othersLoad()) {
      return "other programs need it";
    }
    return "";
  }

  private boolean memoryIsShort(long nowMillis, Observation seen) {
    boolean early = givenBackMillis != NEVER && nowMillis - givenBackMillis < MEMORY_PAUSE_MILLIS;
    if (terms.freeMemoryBytes() <= 0
        || seen.freeMemoryBytes() >= terms.freeMemoryBytes()
        || early) {
      return false;
    }
    givenBackMillis = nowMillis;
    return true;
  }

  private boolean isTooLong(long nowMillis, String pause) {
    if (pause.isEmpty()) {
      pausedSinceMillis = NEVER;
      return false;
    }
    pausedSinceMillis = pausedSinceMillis == NEVER ? nowMillis : pausedSinceMillis;
    return terms.giveBackMillis() > 0 && nowMillis - pausedSinceMillis >= terms.giveBackMillis();
  }
}
