package dev.imker.shipped;

import dev.imker.tasks.RemoteCallable;
import java.util.List;

/** Calls that read static fields, directly and not. */
public final class Counting {
  private static final int STEP = 2;
  private static int count;

  @SuppressWarnings("unused") // no call reads it
  private static int other;

  private Counting() {}

  public static void count() {
    count += STEP;
    other++;
  }

  public static RemoteCallable<Integer> reading() {
    return () -> List.of(1).stream().mapToInt(n -> n + deeper()).sum();
  }

  public static RemoteCallable<Integer> readingNothing() {
    return () -> STEP;
  }

  private static int deeper() {
    return count;
  }
}
