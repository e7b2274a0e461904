package dev.imker.testkit;

import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.RemoteFunction;
import dev.imker.tasks.RemoteRunnable;
import dev.imker.tasks.TaskContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Calls for the tests, in a class of their own so that little has to be sent for them. */
final class Calls {
  record Point(int x, int y) {}

  /** A call that is a record. */
  record Sum(List<Integer> numbers) implements Callable<Integer> {
    @Override
    public Integer call() {
      return numbers.stream().mapToInt(Integer::intValue).sum();
    }
  }

  private Calls() {}

  static RemoteCallable<Integer> product(int a, int b) {
    return () -> a * b;
  }

  static RemoteCallable<Long> processId() {
    return () -> ProcessHandle.current().pid();
  }

  static Point mirrored(Point point) {
    return new Point(point.y(), point.x());
  }

  static RemoteCallable<String> failing(String message) {
    return () -> {
      throw new IllegalStateException(message, new Empty("the cells"));
    };
  }

  static final class Empty extends Exception {
    private static final long serialVersionUID = 1L;

    Empty(String what) {
      super(what);
    }
  }

  /** Nobody but itself can make one. */
  static final class Strange extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Strange(int code) {
      super("code " + code);
    }
  }

  static RemoteCallable<String> failingStrangely() {
    return () -> {
      throw new Strange(7);
    };
  }

  static RemoteRunnable runnable() {
    return () -> {};
  }

  /** Doubles a number once a file is there. */
  static RemoteFunction<Integer, Integer> behind(Path gate) {
    return number -> {
      while (!Files.exists(gate)) {
        LockSupport.parkNanos(1_000_000);
      }
      return 2 * number;
    };
  }

  /** The files of its folder, in order; an asterisk marks what can be run. */
  static List<String> tree() throws IOException {
    Path folder = TaskContext.current().folder();
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> folder.relativize(file) + (Files.isExecutable(file) ? " *" : ""))
          .sorted()
          .toList();
    }
  }

  /** How many files are in its folder; then there is one more. */
  static int countFiles(int unused) throws IOException {
    Path folder = TaskContext.current().folder();
    try (Stream<Path> files = Files.list(folder)) {
      return (int) files.count();
    } finally {
      Files.createFile(folder.resolve("more-" + unused));
    }
  }

  /** Ends its process, after a byte more in a file. */
  static RemoteCallable<Integer> exiting(int code, Path made) {
    return () -> {
      Files.write(made, new byte[1], StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      Runtime.getRuntime().halt(code);
      return 0;
    };
  }

  static RemoteCallable<Integer> exiting(int code) {
    return () -> {
      Runtime.getRuntime().halt(code);
      return 0;
    };
  }

  /** Puts a link in the place of what its host writes, and brings the host down. */
  static RemoteCallable<Integer> linking(String target) {
    return () -> {
      for (String name : List.of("err", "out")) {
        Files.deleteIfExists(Path.of(name));
        Files.createSymbolicLink(Path.of(name), Path.of(target));
      }
      Runtime.getRuntime().halt(1);
      return 0;
    };
  }

  static RemoteCallable<byte[]> large(int bytes) {
    return () -> {
      byte[] content = new byte[bytes];
      content[bytes - 1] = 7;
      return content;
    };
  }

  static RemoteCallable<String> waiting() {
    return () -> {
      TaskContext.current().progress(0.5, "half");
      while (true) {
        TaskContext.current().checkCancelled();
        Thread.sleep(10);
      }
    };
  }

  static RemoteCallable<Integer> secondTime() {
    return () -> {
      int attempt = TaskContext.current().attempt();
      if (attempt < 2) {
        throw new IllegalStateException("not yet");
      }
      return attempt;
    };
  }

  static RemoteCallable<Integer> neverRight() {
    return () -> {
      throw new IllegalArgumentException("attempt " + TaskContext.current().attempt());
    };
  }

  static RemoteCallable<Integer> onlyFirstTime() {
    return () -> {
      int attempt = TaskContext.current().attempt();
      if (attempt > 1) {
        throw new IllegalStateException("once was enough");
      }
      return attempt;
    };
  }

  /** Does not even heed an interrupt. */
  static RemoteCallable<Integer> hanging() {
    return () -> {
      while (true) {
        LockSupport.parkNanos(10_000_000);
        Thread.interrupted();
      }
    };
  }

  static RemoteCallable<Integer> hungry(int bytes) {
    return () -> new byte[bytes].length;
  }

  static RemoteCallable<String> talking(String file) {
    return () -> {
      TaskContext.current().log("first words");
      while (!Files.exists(Path.of(file))) {
        TaskContext.current().checkCancelled();
        Thread.sleep(10);
      }
      System.out.println("last words");
      return "said";
    };
  }

  static RemoteCallable<String> contentOf(String file) {
    return () -> Files.readString(TaskContext.current().folder().resolve(file));
  }

  /** Writes files of 3 MB into its folder and waits. */
  static RemoteCallable<String> filling(int files) {
    return () -> {
      for (int i = 0; i < files; i++) {
        Files.write(TaskContext.current().folder().resolve("file" + i), new byte[3_000_000]);
      }
      return waiting().call();
    };
  }

  /** Takes memory and waits, but only at the first attempt. */
  static RemoteCallable<Integer> hungryOnce(int megabytes) {
    return () -> {
      if (TaskContext.current().attempt() == 1) {
        List<byte[]> taken = new ArrayList<>();
        for (int i = 0; i < megabytes; i++) {
          taken.add(new byte[1 << 20]);
        }
        waiting().call();
        return taken.size();
      }
      return TaskContext.current().attempt();
    };
  }

  /** The cores that the thread of a task may run on, and what it was told of them. */
  static RemoteCallable<List<String>> cores() {
    return () -> {
      String own = "";
      for (String line : Files.readAllLines(Path.of("/proc/thread-self/status"))) {
        own = line.startsWith("Cpus_allowed_list:") ? line.replaceAll(".*:\\s*", "") : own;
      }
      return List.of(own, String.valueOf(TaskContext.current().granted().get("IMKER_CORES")));
    };
  }

  /** What a task was told of its cores and memory, and the megabytes that its heap may have. */
  static RemoteCallable<List<String>> given() {
    return () ->
        List.of(
            String.valueOf(TaskContext.current().granted().get("IMKER_CORES")),
            String.valueOf(TaskContext.current().granted().get("IMKER_MEMORY_MB")),
            Long.toString(Runtime.getRuntime().maxMemory() >> 20));
  }

  static RemoteCallable<Boolean> sees(String file) {
    return () -> Files.exists(Path.of(file));
  }
}
