package dev.imker.agent.internal.policy;

import dev.imker.agent.OwnerActive;

/**
 * When the agent makes room for the owner's own work.
 *
 * @param ownerActive freeze all tasks while somebody uses the machine, by these signs
 * @param othersLoad freeze when programs that are not tasks use more than this share of the
 *     machine's cores (0 to 1); 0: never
 * @param idleMillis how long it must have been quiet before tasks go on
 * @param freeMemoryBytes when less is free, the youngest task is given back; 0: never
 * @param giveBackMillis tasks that were frozen for this long are given back; 0: never
 * @param shrinkToCores so many cores are left to tasks, and only the rest is frozen; 0: all is
 */
public record Neighbour(
    OwnerActive ownerActive,
    double othersLoad,
    long idleMillis,
    long freeMemoryBytes,
    long giveBackMillis,
    int shrinkToCores) {
  public static final long USUAL_IDLE_MILLIS = 60_000;
  public static final long USUAL_GIVE_BACK_MILLIS = 30 * 60_000;

  /** Makes room for the owner alone. */
  static Neighbour of(OwnerActive ownerActive) {
    return new Neighbour(ownerActive, 0, USUAL_IDLE_MILLIS, 0, USUAL_GIVE_BACK_MILLIS, 0);
  }

  public boolean watchesOwner() {
    return ownerActive != OwnerActive.NO;
  }
}
