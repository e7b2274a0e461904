package dev.imker.testkit;

import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.Spawned;
import dev.imker.tasks.TaskContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Calls that use what their context offers. */
final class SubCalls {
  private SubCalls() {}

  // Made here, so that little has to be sent for them.

  static RemoteCallable<Integer> fibonacciOf(int n) {
    return () -> fibonacci(n);
  }

  static RemoteCallable<Long> sumOfSquaresTo(int most) {
    return () -> sumOfSquares(most);
  }

  static RemoteCallable<String> failing(String message) {
    return () -> spawnFailing(message);
  }

  static RemoteCallable<Integer> large(int bytes) {
    return () -> lengthOfLarge(bytes);
  }

  static RemoteCallable<String> posting(String key, String text) {
    return () -> post(key, text);
  }

  static RemoteCallable<String> reading(String key) {
    return () -> posted(key);
  }

  static RemoteCallable<Integer> counting() {
    return SubCalls::countToTen;
  }

  static RemoteCallable<String> spawning() {
    return SubCalls::spawnAndExit;
  }

  /** Each attempt leaves a line in a file. */
  static RemoteCallable<String> spawnHalting(String begun) {
    return () -> {
      Files.writeString(
          Path.of(begun), "begun\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      return TaskContext.current().spawn(SubCalls::halt).join();
    };
  }

  private static String halt() {
    Runtime.getRuntime().halt(9);
    return "never";
  }

  static RemoteCallable<String> spawnWaitingFor(String file) {
    return () -> TaskContext.current().spawn(() -> waitFor(file)).join();
  }

  /** Notes its beginning, waits for a gate, and notes its end. */
  static RemoteCallable<String> between(String started, String gate, String ended) {
    return () -> {
      Files.writeString(
          Path.of(started), "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      while (!Files.exists(Path.of(gate))) {
        TaskContext.current().checkCancelled();
        Thread.sleep(10);
      }
      Files.writeString(Path.of(ended), "");
      return "seen";
    };
  }

  private static String waitFor(String file) throws Exception {
    Files.writeString(Path.of(file + ".begun"), "");
    while (!Files.exists(Path.of(file))) {
      TaskContext.current().checkCancelled();
      Thread.sleep(10);
    }
    return "seen";
  }

  private static int fibonacci(int n) throws Exception {
    if (n < 2) {
      return n;
    }
    TaskContext task = TaskContext.current();
    Spawned<Integer> one = task.spawn(() -> fibonacci(n - 1));
    Spawned<Integer> other = task.spawn(() -> fibonacci(n - 2));
    return one.join() + other.join();
  }

  private static long sumOfSquares(int most) throws Exception {
    List<Spawned<Long>> squares = new ArrayList<>();
    for (int i = 1; i <= most; i++) {
      long number = i;
      squares.add(TaskContext.current().spawn(() -> number * number));
    }
    long sum = 0;
    for (Spawned<Long> square : squares) {
      sum += square.join();
    }
    return sum;
  }

  private static String spawnFailing(String message) throws Exception {
    Spawned<String> failing =
        TaskContext.current()
            .spawn(
                () -> {
                  throw new IllegalStateException(message);
                });
    return failing.join();
  }

  private static int lengthOfLarge(int bytes) throws Exception {
    Spawned<byte[]> large = TaskContext.current().spawn(() -> new byte[bytes]);
    return large.join().length;
  }

  private static String post(String key, String text) {
    TaskContext.current().blackboard().write(key, text);
    return key;
  }

  private static String posted(String key) {
    return TaskContext.current().blackboard().read(key).orElse("nothing");
  }

  /** Counts to ten, and stops its process at five on the first attempt. */
  private static int countToTen() {
    TaskContext task = TaskContext.current();
    int first = task.checkpoint(Integer.class).orElse(0);
    for (int i = first + 1; i <= 10; i++) {
      task.saveCheckpoint(i);
      if (i == 5 && task.attempt() == 1) {
        Runtime.getRuntime().halt(9);
      }
    }
    return first;
  }

  /** Spawns a call that would run for ever, and is stopped. */
  private static String spawnAndExit() throws InterruptedException {
    var _ = TaskContext.current().spawn(SubCalls::forEver);
    return forEver();
  }

  private static String forEver() throws InterruptedException {
    while (true) {
      TaskContext.current().checkCancelled();
      Thread.sleep(10);
    }
  }
}
