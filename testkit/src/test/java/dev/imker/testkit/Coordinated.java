package dev.imker.testkit;

import dev.imker.client.executor.ImkerExecutor;
import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.TaskContext;
import dev.imker.tasks.coordination.Coordination;
import dev.imker.tasks.coordination.Counter;
import dev.imker.tasks.coordination.DoubleBarrier;
import dev.imker.tasks.coordination.Election;
import dev.imker.tasks.coordination.Group;
import dev.imker.tasks.coordination.SharedValue;
import dev.imker.tasks.coordination.TaskLock;
import dev.imker.tasks.coordination.TaskQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;

/** Calls that wait for each other. */
final class Coordinated {
  private static final Duration LONG = Duration.ofSeconds(60);

  private Coordinated() {}

  static RemoteCallable<Integer> rounds(int tasks, int rounds) {
    return () -> workInRounds(tasks, rounds);
  }

  static RemoteCallable<Long> locked(String what) {
    return () -> underLock(what);
  }

  static RemoteCallable<String> leading(String what) {
    return () -> leadAndResign(what);
  }

  static RemoteCallable<Long> counted(String what) {
    return () -> countOn(what);
  }

  static RemoteCallable<String> configured(int tasks) {
    return () -> configure(tasks);
  }

  static RemoteCallable<Integer> gathered(int tasks) {
    return () -> gather(tasks);
  }

  static RemoteCallable<Integer> produced(int items, int consumers) {
    return () -> produce(items, consumers);
  }

  static RemoteCallable<Integer> consumed() {
    return Coordinated::consume;
  }

  private static Coordination coordination() {
    return TaskContext.current().coordination();
  }

  /** How many rounds were seen in step: in each, all have counted before any goes on. */
  static int workInRounds(int tasks, int rounds) throws InterruptedException {
    Coordination all = TaskContext.current().coordination();
    DoubleBarrier barrier = all.barrier("rounds", tasks);
    Counter counter = all.counter("rounds");
    int inStep = 0;
    for (int round = 1; round <= rounds; round++) {
      barrier.enter();
      counter.add(1);
      barrier.leave();
      inStep += counter.get().value() == (long) tasks * round ? 1 : 0;
    }
    return inStep;
  }

  /** What two holders at a time would spoil; the fencing token. */
  private static long underLock(String what) throws InterruptedException {
    TaskLock lock = coordination().lock(what);
    Counter counter = coordination().counter(what);
    long token = lock.acquire();
    try {
      Counter.Reading before = counter.get();
      if (!counter.set(before, before.value() + 1)) {
        throw new IllegalStateException("somebody else was here too");
      }
    } finally {
      lock.release();
    }
    return token;
  }

  private static String leadAndResign(String what) throws InterruptedException {
    Election election = coordination().election(what);
    election.lead();
    String leader = election.leader();
    election.resign();
    return leader.equals(TaskContext.current().taskId()) ? leader : "not " + leader;
  }

  /** Adds one as often as it takes until nobody came in between; the value then. */
  private static long countOn(String what) throws InterruptedException {
    Counter counter = coordination().counter(what);
    while (true) {
      Counter.Reading before = counter.get();
      if (counter.set(before, before.value() + 1)) {
        return before.value() + 1;
      }
    }
  }

  /** Adds a dot to what all share, and waits until all have; the text then. */
  private static String configure(int tasks) throws InterruptedException {
    SharedValue value = coordination().value("dots");
    SharedValue.Reading read = value.get();
    while (value.set(read, read.text() + ".").isEmpty()) {
      read = value.get();
    }
    read = value.get();
    while (read.text().length() < tasks) {
      read = value.awaitChange(read, LONG).orElseThrow();
    }
    return read.text();
  }

  /** Stays until all have come; how many that were. */
  private static int gather(int tasks) throws InterruptedException {
    Group group = coordination().group("hive");
    Group.Members members = group.join();
    while (members.tasks().size() < tasks) {
      Optional<Group.Event> event = group.awaitChange(members, LONG);
      if (event.isEmpty()) {
        return members.tasks().size();
      }
      members = event.get().now();
    }
    DoubleBarrier all = coordination().barrier("hive", tasks);
    all.enter();
    int seen = group.members().tasks().size();
    all.leave();
    group.leave();
    return seen;
  }

  private static int produce(int items, int consumers) throws InterruptedException {
    TaskQueue queue = coordination().queue("honey");
    for (int i = 1; i <= items; i++) {
      queue.put(Integer.toString(i));
    }
    for (int i = 0; i < consumers; i++) {
      queue.put("end");
    }
    return items;
  }

  /** What a call takes from a queue into which this program puts it. */
  static int sumOf(ImkerExecutor pool, List<String> items) throws Exception {
    Future<Integer> sum = pool.submit(Coordinated::consume);
    TaskQueue queue = pool.coordination().queue("honey");
    for (String item : items) {
      queue.put(item);
    }
    queue.put("end");
    return sum.get();
  }

  private static int consume() throws InterruptedException {
    TaskQueue queue = coordination().queue("honey");
    int sum = 0;
    for (String item = queue.take(); !item.equals("end"); item = queue.take()) {
      sum += Integer.parseInt(item);
    }
    return sum;
  }
}
