package dev.imker.samples;

import dev.imker.tasks.RemoteCallable;

/** Calls to be made elsewhere. */
public final class RemoteCalls {
  private RemoteCalls() {}

  public static RemoteCallable<Long> processId() {
    return () -> ProcessHandle.current().pid();
  }

  /** Takes long enough for something to happen meanwhile. */
  public static RemoteCallable<Integer> slowSquare(int number) {
    return () -> {
      Thread.sleep(5);
      return number * number;
    };
  }
}
