package dev.imker.tasks.coordination;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Asks again and again for what does not happen at once. */
final class AskedCoordination implements Coordination {
  private static final long LONGEST_WAIT_SECONDS = 30;
  private static final Duration FOREVER = Duration.ofDays(3_650);

  private final Asker asker;

  AskedCoordination(Asker asker) {
    this.asker = asker;
  }

  /** One thing by its kind and name. */
  private final class Thing {
    private final String kind;
    private final String name;

    Thing(String kind, String name) {
      this.kind = kind;
      this.name = name;
    }

    Map<String, Object> ask(String action) throws InterruptedException {
      return ask(action, Map.of(), 0);
    }

    Map<String, Object> ask(String action, Map<String, Object> fields, long waitSeconds)
        throws InterruptedException {
      Map<String, Object> body = new HashMap<>(fields);
      body.put("action", action);
      if (waitSeconds > 0) {
        body.put("wait", waitSeconds);
      }
      return asker.ask(kind, name, body);
    }

    /** The first answer that will do; nothing if none did within the time. */
    Optional<Map<String, Object>> await(
        String action,
        Map<String, Object> fields,
        Duration patience,
        Predicate<Map<String, Object>> willDo)
        throws InterruptedException {
      long deadlineNanos = System.nanoTime() + Math.min(patience.toNanos(), FOREVER.toNanos());
      Map<String, Object> answer = ask(action, fields, 0);
      if (willDo.test(answer)) {
        return Optional.of(answer);
      }
      asker.waits(true);
      try {
        while (!willDo.test(answer)) {
          long leftSeconds = Math.ceilDiv(deadlineNanos - System.nanoTime(), 1_000_000_000L);
          if (leftSeconds <= 0) {
            return Optional.empty();
          }
          answer = ask(action, fields, Math.min(leftSeconds, LONGEST_WAIT_SECONDS));
        }
        return Optional.of(answer);
      } finally {
        asker.waits(false);
      }
    }
  }

  private static boolean flag(Map<String, Object> answer, String field) {
    return Boolean.TRUE.equals(answer.get(field));
  }

  private static long number(Map<String, Object> answer, String field) {
    return answer.get(field) instanceof Number number ? number.longValue() : 0;
  }

  @Override
  public DoubleBarrier barrier(String name, int size) {
    Thing barrier = new Thing("barrier", name);
    return new DoubleBarrier() {
      private long round;

      @Override
      public void enter() throws InterruptedException {
        round =
            number(
                barrier
                    .await(
                        "enter", Map.of("size", size), FOREVER, answer -> flag(answer, "entered"))
                    .orElseThrow(),
                "round");
      }

      @Override
      public void leave() throws InterruptedException {
        if (round == 0) {
          throw new IllegalStateException("Nobody leaves a barrier without having entered it.");
        }
        var _ =
            barrier.await("leave", Map.of("round", round), FOREVER, answer -> flag(answer, "done"));
        round = 0;
      }
    };
  }

  @Override
  public TaskLock lock(String name) {
    Thing lock = new Thing("lock", name);
    return new TaskLock() {
      @Override
      public long acquire() throws InterruptedException {
        return tryAcquire(FOREVER).orElseThrow();
      }

      // Who does not get it gives its place in the queue back.
      @Override
      public OptionalLong tryAcquire(Duration patience) throws InterruptedException {
        boolean held = false;
        try {
          Optional<Map<String, Object>> answer =
              lock.await("acquire", Map.of(), patience, one -> flag(one, "held"));
          held = answer.isPresent();
          return answer.isPresent()
              ? OptionalLong.of(number(answer.get(), "fencing"))
              : OptionalLong.empty();
        } finally {
          if (!held) {
            lock.ask("release");
          }
        }
      }

      @Override
      public void release() throws InterruptedException {
        lock.ask("release");
      }
    };
  }

  @Override
  public Election election(String name) {
    Thing election = new Thing("election", name);
    return new Election() {
      @Override
      public boolean stand() throws InterruptedException {
        return flag(election.ask("stand"), "you");
      }

      @Override
      public void lead() throws InterruptedException {
        var _ = election.await("lead", Map.of(), FOREVER, answer -> flag(answer, "you"));
      }

      @Override
      public String leader() throws InterruptedException {
        return String.valueOf(election.ask("stand").getOrDefault("leader", ""));
      }

      @Override
      public void resign() throws InterruptedException {
        election.ask("resign");
      }
    };
  }

  @Override
  public Counter counter(String name) {
    Thing counter = new Thing("counter", name);
    return new Counter() {
      @Override
      public Reading get() throws InterruptedException {
        Map<String, Object> answer = counter.ask("get");
        return new Reading(number(answer, "value"), number(answer, "version"));
      }

      @Override
      public long add(long delta) throws InterruptedException {
        return number(counter.ask("add", Map.of("value", delta), 0), "value");
      }

      @Override
      public boolean set(Reading read, long value) throws InterruptedException {
        return !flag(
            counter.ask("set", Map.of("value", value, "version", read.version()), 0),
            Asker.CONFLICT);
      }
    };
  }

  @Override
  public Group group(String name) {
    Thing group = new Thing("group", name);
    return new Group() {
      @Override
      public Members join() throws InterruptedException {
        return members(group.ask("join"));
      }

      @Override
      public Members leave() throws InterruptedException {
        return members(group.ask("leave"));
      }

      @Override
      public Members members() throws InterruptedException {
        return members(group.ask("members"));
      }

      @Override
      public Optional<Event> awaitChange(Members known, Duration patience)
          throws InterruptedException {
        return group
            .await(
                "members",
                Map.of("version", known.version()),
                patience,
                answer -> number(answer, "version") != known.version())
            .map(answer -> event(known, members(answer)));
      }

      private static Members members(Map<String, Object> answer) {
        SortedSet<String> tasks = new TreeSet<>();
        if (answer.get("members") instanceof Collection<?> all) {
          all.forEach(task -> tasks.add(String.valueOf(task)));
        }
        return new Members(tasks, number(answer, "version"));
      }

      private static Event event(Members before, Members now) {
        SortedSet<String> joined = new TreeSet<>(now.tasks());
        joined.removeAll(before.tasks());
        SortedSet<String> left = new TreeSet<>(before.tasks());
        left.removeAll(now.tasks());
        return new Event(joined, left, now);
      }
    };
  }

  @Override
  public TaskQueue queue(String name) {
    Thing queue = new Thing("queue", name);
    return new TaskQueue() {
      @Override
      public void put(String text) throws InterruptedException {
        queue.ask("put", Map.of("data", text), 0);
      }

      @Override
      public String take() throws InterruptedException {
        return poll(FOREVER).orElseThrow();
      }

      @Override
      public Optional<String> poll(Duration patience) throws InterruptedException {
        return queue
            .await("take", Map.of(), patience, answer -> answer.get("data") != null)
            .map(answer -> String.valueOf(answer.get("data")));
      }
    };
  }
}
