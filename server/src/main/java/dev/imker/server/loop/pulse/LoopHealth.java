package dev.imker.server.loop.pulse;

/**
 * How the loop is, seen from outside.
 *
 * @param leading whether it leads its pool
 * @param busyMillis how long it has been busy with the present turn
 * @param waitingMillis how long it has been waiting for its store
 * @param unwritable why nothing can be written at present; empty if that is not so
 * @param failure what ended it for good; empty if nothing did
 */
public record LoopHealth(
    boolean leading, long busyMillis, long waitingMillis, String unwritable, String failure) {
  public static LoopHealth failed(String why) {
    return new LoopHealth(false, 0, 0, "", why);
  }

  public boolean hasFailed() {
    return !failure.isEmpty();
  }

  /** Whether it has been busy with one turn for so long that it must be stuck. */
  public boolean standsStill(long patienceMillis) {
    return busyMillis > patienceMillis;
  }
}
