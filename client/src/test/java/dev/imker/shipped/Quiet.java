package dev.imker.shipped;

/** Needs nothing. */
public final class Quiet {
  private Quiet() {}
}
