package dev.imker.shipped;

import dev.imker.client.Imker;
import dev.imker.tasks.RemoteCallable;
import java.util.List;

/** Calls that read static fields or use a pool, directly and not. */
public final class Counting {
  private static final int STEP = 2;
  private static int count = STEP;

  private Counting() {}

  public static RemoteCallable<Integer> reading() {
    return () -> List.of(1).stream().mapToInt(n -> n + deeper()).sum();
  }

  public static RemoteCallable<Integer> readingNothing() {
    return () -> STEP;
  }

  public static RemoteCallable<Integer> connecting() {
    return () -> connected();
  }

  private static int connected() {
    try (Imker imker = Imker.connect()) {
      return imker.hashCode();
    }
  }

  private static int deeper() {
    return count;
  }
}
