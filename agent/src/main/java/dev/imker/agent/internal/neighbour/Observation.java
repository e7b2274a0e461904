package dev.imker.agent.internal.neighbour;

/**
 * The state of the machine at one moment.
 *
 * @param lent whether the owner lends it at this hour
 * @param ownerIdleMillis since somebody last used keyboard, mouse or a terminal; {@link
 *     Long#MAX_VALUE} if nobody can be seen
 * @param othersLoad share of all cores that programs other than tasks use
 * @param freeMemoryBytes what new programs can have without swapping
 * @param trouble what keeps the machine from running anything; empty if nothing does
 */
record Observation(
    boolean lent, long ownerIdleMillis, double othersLoad, long freeMemoryBytes, String trouble) {
  Observation(boolean lent, long ownerIdleMillis, double othersLoad, long freeMemoryBytes) {
    this(lent, ownerIdleMillis, othersLoad, freeMemoryBytes, "");
  }
}
