package dev.imker.chaos.cluster;

import java.util.concurrent.TimeUnit;

/** Lets time pass. */
public final class Pause {
  private Pause() {}

  public static void millis(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChaosException("interrupted", e);
    }
  }
}
