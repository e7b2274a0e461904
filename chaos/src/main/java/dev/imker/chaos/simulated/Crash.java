package dev.imker.chaos.simulated;

/** The process ends here, in the middle of whatever it does. */
final class Crash extends Error {
  private static final long serialVersionUID = 1L;

  Crash() {
    super("the process is gone", null, false, false);
  }
}
