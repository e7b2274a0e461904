package dev.imker.shipped;

import dev.imker.tasks.RemoteCallable;

/** Names a class with a native method, which only one of its calls comes to. */
public final class UsesBuzzing {
  private UsesBuzzing() {}

  public static RemoteCallable<Integer> buzzing() {
    return UsesBuzzing::buzz;
  }

  public static RemoteCallable<Integer> silent() {
    return () -> 0;
  }

  private static int buzz() {
    return Buzzing.buzz();
  }
}
