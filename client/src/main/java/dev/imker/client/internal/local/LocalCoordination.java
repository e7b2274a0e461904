package dev.imker.client.internal.local;

import dev.imker.tasks.coordination.Asker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Decides for tasks of this program what a pool's server decides for its tasks. */
final class LocalCoordination {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<String, Barrier> barriers = new HashMap<>();
  private final Map<String, Map<String, Long>> lines = new HashMap<>();
  private final Map<String, long[]> counters = new HashMap<>();
  private final Map<String, Value> values = new HashMap<>();
  private final Map<String, Group> groups = new HashMap<>();
  private final Map<String, Deque<String>> queues = new HashMap<>();
  private long lastPlace;

  private static final class Barrier {
    final Set<String> inside = new LinkedHashSet<>();
    boolean ready;
    long round;
  }

  private record Value(String text, long version) {
    Map<String, Object> answer() {
      return Map.of("data", text, "version", version);
    }
  }

  private static final class Group {
    final Set<String> members = new TreeSet<>();
    long version;
  }

  /** A look at the state; null while there is nothing to tell yet. */
  private interface Look {
    @Nullable Map<String, Object> get();
  }

  /** Answers a question of a member as {@link Asker} says. */
  Map<String, Object> ask(String member, String kind, String name, Map<String, Object> body)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      return switch (kind + " " + body.get("action")) {
        case "barrier enter" -> enter(barrier(name), member, body);
        case "barrier leave" -> leave(barrier(name), member, body);
        case "lock acquire" -> {
          Map<String, Long> line = line(kind, name, member);
          yield await(body, () -> held(line, member), () -> Map.of("held", false));
        }
        case "election stand" -> elected(line(kind, name, member), member);
        case "election lead" -> {
          Map<String, Long> line = line(kind, name, member);
          yield await(
              body,
              () -> first(line).equals(member) ? elected(line, member) : null,
              () -> elected(line, member));
        }
        case "lock release", "election resign" -> {
          boolean was = line(kind, name, member).remove(member) != null;
          changed.signalAll();
          yield Map.of("done", was);
        }
        case "counter get" -> counted(counter(name));
        case "counter add" -> add(counter(name), number(body, "value"));
        case "counter set" -> set(counter(name), body);
        case "config get" -> value(name).answer();
        case "config set" -> set(name, body);
        case "config watch" ->
            await(
                body,
                () -> value(name).version == number(body, "version") ? null : value(name).answer(),
                () -> value(name).answer());
        case "group join" -> group(group(name), group(name).members.add(member));
        case "group leave" -> group(group(name), group(name).members.remove(member));
        case "group members" -> members(group(name), body);
        case "queue put" -> {
          queue(name).add(String.valueOf(body.get("data")));
          changed.signalAll();
          yield Map.of("done", true);
        }
        case "queue take" -> await(body, () -> taken(queue(name)), Map::of);
        default ->
            throw new IllegalStateException("There is no " + body.get("action") + " of a " + kind);
      };
    } finally {
      lock.unlock();
    }
  }

  /** A task is over, and counts no more. */
  void gone(String member) {
    lock.lock();
    try {
      barriers.values().forEach(barrier -> out(barrier, member));
      lines.values().forEach(line -> line.remove(member));
      groups.values().forEach(group -> group(group, group.members.remove(member)));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private static long number(Map<String, Object> body, String field) {
    return body.get(field) instanceof Number number ? number.longValue() : 0;
  }

  private Map<String, Object> await(Map<String, Object> body, Look look, Look otherwise)
      throws InterruptedException {
    long leftNanos = TimeUnit.SECONDS.toNanos(number(body, "wait"));
    Map<String, Object> found = look.get();
    while (found == null && leftNanos > 0) {
      leftNanos = changed.awaitNanos(leftNanos);
      found = look.get();
    }
    Map<String, Object> fallback = found == null ? otherwise.get() : found;
    return fallback == null ? Map.of() : fallback;
  }

  // ------------------------------------------------------------------ barriers

  private Barrier barrier(String name) {
    return barriers.computeIfAbsent(name, _ -> new Barrier());
  }

  private Map<String, Object> enter(Barrier barrier, String member, Map<String, Object> body)
      throws InterruptedException {
    long size = number(body, "size");
    return await(
        body,
        () -> {
          if (!barrier.ready) {
            barrier.inside.add(member);
            if (barrier.inside.size() >= size) {
              barrier.ready = true;
              barrier.round++;
              changed.signalAll();
            }
          }
          return barrier.ready && barrier.inside.contains(member)
              ? Map.of("entered", true, "round", barrier.round)
              : null;
        },
        () -> Map.of("entered", false, "round", barrier.round));
  }

  private Map<String, Object> leave(Barrier barrier, String member, Map<String, Object> body)
      throws InterruptedException {
    long round = number(body, "round");
    if (barrier.round == round) {
      out(barrier, member);
    }
    return await(
        body,
        () -> barrier.round != round || !barrier.ready ? Map.of("done", true) : null,
        () -> Map.of("done", false));
  }

  private void out(Barrier barrier, String member) {
    barrier.inside.remove(member);
    if (barrier.inside.isEmpty()) {
      barrier.ready = false;
    }
    changed.signalAll();
  }

  // ------------------------------------------------------------------ locks and elections

  private Map<String, Long> line(String kind, String name, String member) {
    Map<String, Long> line = lines.computeIfAbsent(kind + " " + name, _ -> new LinkedHashMap<>());
    line.computeIfAbsent(member, _ -> ++lastPlace);
    return line;
  }

  private static String first(Map<String, Long> line) {
    return line.isEmpty() ? "" : line.keySet().iterator().next();
  }

  private static @Nullable Map<String, Object> held(Map<String, Long> line, String member) {
    Long fencing = line.get(member);
    return fencing != null && first(line).equals(member)
        ? Map.of("held", true, "fencing", fencing)
        : null;
  }

  private static Map<String, Object> elected(Map<String, Long> line, String member) {
    return Map.of("leader", first(line), "you", first(line).equals(member));
  }

  // ------------------------------------------------------------------ counters

  /** Value and version. */
  private long[] counter(String name) {
    return counters.computeIfAbsent(name, _ -> new long[2]);
  }

  private static Map<String, Object> counted(long[] counter) {
    return Map.of("value", counter[0], "version", counter[1]);
  }

  private static Map<String, Object> add(long[] counter, long delta) {
    counter[0] += delta;
    counter[1]++;
    return counted(counter);
  }

  private static Map<String, Object> set(long[] counter, Map<String, Object> body) {
    if (counter[1] != number(body, "version")) {
      return Map.of(Asker.CONFLICT, true);
    }
    return add(counter, number(body, "value") - counter[0]);
  }

  // ------------------------------------------------------------------ named values

  private Value value(String name) {
    return values.getOrDefault(name, new Value("", 0));
  }

  private Map<String, Object> set(String name, Map<String, Object> body) {
    long version = value(name).version;
    if (body.containsKey("version") && number(body, "version") != version) {
      return Map.of(Asker.CONFLICT, true);
    }
    values.put(name, new Value(String.valueOf(body.get("data")), version + 1));
    changed.signalAll();
    return value(name).answer();
  }

  // ------------------------------------------------------------------ groups and queues

  private Group group(String name) {
    return groups.computeIfAbsent(name, _ -> new Group());
  }

  private Map<String, Object> group(Group group, boolean isNew) {
    if (isNew) {
      group.version++;
      changed.signalAll();
    }
    return Map.of("members", new ArrayList<>(group.members), "version", group.version);
  }

  private Map<String, Object> members(Group group, Map<String, Object> body)
      throws InterruptedException {
    return await(
        body,
        () ->
            !body.containsKey("version") || group.version != number(body, "version")
                ? group(group, false)
                : null,
        () -> group(group, false));
  }

  private Deque<String> queue(String name) {
    return queues.computeIfAbsent(name, _ -> new ArrayDeque<>());
  }

  private static @Nullable Map<String, Object> taken(Deque<String> queue) {
    String text = queue.poll();
    return text == null ? null : Map.of("data", text);
  }
}
