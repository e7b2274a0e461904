package dev.imker.samples;

import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.RemoteFunction;
import dev.imker.tasks.TaskContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

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

  /** Never ends; throws at its second attempt, and tells the number of a further one. */
  public static RemoteCallable<Integer> lostThenFailed() {
    return () -> {
      int attempt = TaskContext.current().attempt();
      if (attempt == 1) {
        Thread.sleep(Long.MAX_VALUE);
      } else if (attempt == 2) {
        throw new IllegalStateException("not yet");
      }
      return attempt;
    };
  }

  /** Prints so many numbered lines. */
  public static RemoteCallable<Integer> printing(int lines) {
    return () -> {
      for (int i = 1; i <= lines; i++) {
        System.out.println("line " + i);
      }
      return lines;
    };
  }

  public static RemoteFunction<Integer, Integer> squaring() {
    return number -> number * number;
  }

  /** Writes down that it was made, with a word of its own, which it returns. */
  public static RemoteCallable<String> noted(int number, String diary) {
    return () -> note(number + " ", diary);
  }

  /** The same, but not before a file is there. */
  public static RemoteCallable<String> notedBehind(int number, String diary, String gate) {
    return () -> {
      awaitFile(gate);
      return note(number + " ", diary);
    };
  }

  static String note(String beginning, String diary) throws IOException {
    String word = beginning + UUID.randomUUID();
    Files.writeString(
        Path.of(diary), word + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return word;
  }

  static void awaitFile(String file) throws InterruptedException {
    while (!Files.exists(Path.of(file))) {
      Thread.sleep(10);
    }
  }
}
