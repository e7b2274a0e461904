package dev.imker.coord.tasks;

import dev.imker.coord.ZooKeeperAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * Barriers, locks, elections, counters, named values, groups and queues for running tasks, by the
 * recipes of ZooKeeper. The server acts for its tasks, so nodes are not bound to a session: each is
 * named after the run it stands for, and counts only while that run has its lease. Whoever finds
 * the node of a run that is over removes it.
 *
 * <p>Everything that waits does so for a limited time and can be asked again: asking twice is like
 * asking once.
 */
public final class TaskCoordination implements AutoCloseable {
  private static final String ROOT = "/imker/tasks/";
  private static final int LOCKS = 64;
  private static final int SESSION_MILLIS = 10_000;
  private static final byte[] NOTHING = new byte[0];

  /** Inside, with the number of the round. */
  public record Entered(boolean entered, long round) {}

  /** A lock: whether it is held, and the number that fences off all former holders. */
  public record Held(boolean held, long fencing) {}

  /** Who leads, and whether that is the one who asks. */
  public record Elected(String leader, boolean you) {}

  /** A counter; changing it needs the version that was read. */
  public record Counted(long value, int version) {}

  /** A named value; it has version 1 when it is set for the first time. */
  public record Named(byte[] data, int version) {}

  /** Who is there; the version changes with every coming and going. */
  public record Group(List<String> members, int version) {}

  private final CuratorFramework client;
  private final Nodes nodes;
  private final Predicate<Member> alive;
  private final long fencingBase;
  private final Waiters waiters = new Waiters();
  private final Watch watch;
  private final List<ReentrantLock> locks =
      Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

  /**
   * @param alive whether a run still has its lease
   * @param epoch makes fencing numbers grow beyond those of a former server
   */
  public TaskCoordination(String connect, Predicate<Member> alive, long epoch) {
    this(connect, alive, epoch, SESSION_MILLIS);
  }

  TaskCoordination(String connect, Predicate<Member> alive, long epoch, int sessionMillis) {
    this.alive = alive;
    this.fencingBase = epoch << 32;
    client =
        ZooKeeperAddress.parse(connect)
            .client()
            .sessionTimeoutMs(sessionMillis)
            .connectionTimeoutMs(sessionMillis)
            .retryPolicy(Nodes.unlessOnce(new ExponentialBackoffRetry(100, 5)))
            .build();
    client.start();
    nodes = new Nodes(client);
    watch = new Watch(client, nodes, waiters, ROOT, this::dropGone);
  }

  // ---------------------------------------------------------------- barrier

  /**
   * Enters a double barrier: inside as soon as so many are. A round that is under way without this
   * member is waited out.
   */
  public Entered enter(String scope, String name, Member self, int size, long waitMillis)
      throws InterruptedException {
    String barrier = path(scope, "barrier", name);
    return waiters
        .await(barrier, "", waitMillis, () -> alone(barrier, () -> tryEnter(barrier, self, size)))
        .orElseGet(() -> new Entered(false, round(barrier)));
  }

  /** Leaves: outside as soon as all others of the round have left or are gone. */
  public boolean leave(String scope, String name, Member self, long round, long waitMillis)
      throws InterruptedException {
    String barrier = path(scope, "barrier", name);
    if (round == round(barrier)) {
      nodes.delete(barrier + "/in/" + self.node());
    }
    return waiters
        .await(barrier, "", waitMillis, () -> alone(barrier, () -> tryLeave(barrier, round)))
        .orElse(false);
  }

  private Optional<Entered> tryEnter(String barrier, Member self, int size) {
    String own = barrier + "/in/" + self.node();
    boolean ready = nodes.exists(barrier + "/ready");
    if (ready) {
      return nodes.exists(own) ? Optional.of(new Entered(true, round(barrier))) : Optional.empty();
    }
    nodes.create(own, NOTHING);
    if (present(barrier + "/in").size() < size) {
      return Optional.empty();
    }
    add(barrier + "/round", value -> value + 1);
    nodes.create(barrier + "/ready", NOTHING);
    return Optional.of(new Entered(true, round(barrier)));
  }

  private Optional<Boolean> tryLeave(String barrier, long round) {
    if (round != round(barrier) || !nodes.exists(barrier + "/ready")) {
      return Optional.of(true);
    }
    if (!present(barrier + "/in").isEmpty()) {
      return Optional.empty();
    }
    nodes.delete(barrier + "/ready");
    return Optional.of(true);
  }

  private long round(String barrier) {
    return counted(barrier + "/round").value;
  }

  // ---------------------------------------------------------------- lock and election

  /** Waits in the queue of a lock, and stays in it for the next time this is asked. */
  public Held acquire(String scope, String name, Member self, long waitMillis)
      throws InterruptedException {
    String queue = path(scope, "lock", name);
    String own = enqueue(queue, self);
    return waiters
        .await(
            queue,
            self.node(),
            waitMillis,
            () ->
                first(queue)
                    .filter(own::equals)
                    .map(node -> new Held(true, fencingBase + Nodes.number(node))))
        .orElse(new Held(false, 0));
  }

  /** Gives a lock back, or the place in its queue; false if it had neither. */
  public boolean release(String scope, String name, Member self) {
    return dequeue(path(scope, "lock", name), self);
  }

  /** Stands for election, and tells who leads. */
  public Elected stand(String scope, String name, Member self) {
    String queue = path(scope, "election", name);
    enqueue(queue, self);
    return elected(queue, self);
  }

  /** Waits until this member leads. */
  public Elected lead(String scope, String name, Member self, long waitMillis)
      throws InterruptedException {
    String queue = path(scope, "election", name);
    enqueue(queue, self);
    return waiters
        .await(
            queue,
            self.node(),
            waitMillis,
            () -> Optional.of(elected(queue, self)).filter(Elected::you))
        .orElseGet(() -> elected(queue, self));
  }

  /** Stands no longer. */
  public boolean resign(String scope, String name, Member self) {
    return dequeue(path(scope, "election", name), self);
  }

  private Elected elected(String queue, Member self) {
    Optional<Member> leader = first(queue).flatMap(Member::of);
    return new Elected(leader.map(Member::task).orElse(""), leader.map(self::equals).orElse(false));
  }

  private String enqueue(String queue, Member self) {
    return alone(
        queue,
        () ->
            own(queue, self)
                .orElseGet(() -> nodes.createSequential(queue + "/" + self.node() + "_", NOTHING)));
  }

  /** What takes several steps is done by one after the other. */
  private <T> T alone(String path, Supplier<T> steps) {
    ReentrantLock lock = locks.get(Math.floorMod(path.hashCode(), LOCKS));
    lock.lock();
    try {
      return steps.get();
    } finally {
      lock.unlock();
    }
  }

  private boolean dequeue(String queue, Member self) {
    boolean was = false;
    // There are two if the answer to the first got lost.
    for (Optional<String> own = own(queue, self); own.isPresent(); own = own(queue, self)) {
      was |= nodes.delete(queue + "/" + own.get());
    }
    return was;
  }

  private Optional<String> own(String queue, Member self) {
    return nodes.children(queue).names().stream()
        .filter(node -> node.startsWith(self.node() + "_"))
        .findFirst();
  }

  /** The first in a queue that is still alive; those before it are removed. */
  private Optional<String> first(String queue) {
    for (String node : nodes.queue(queue)) {
      if (isAlive(node)) {
        return Optional.of(node);
      }
      nodes.delete(queue + "/" + node);
    }
    return Optional.empty();
  }

  // ---------------------------------------------------------------- counter

  public Counted counter(String scope, String name) {
    return counted(path(scope, "counter", name));
  }

  /** Sets a counter if it still has this version; empty if it has another. */
  public Optional<Counted> set(String scope, String name, long value, int version) {
    String path = path(scope, "counter", name);
    nodes.create(path, number(0));
    return nodes.write(path, number(value), version)
        ? Optional.of(new Counted(value, version + 1))
        : Optional.empty();
  }

  /**
   * @throws dev.imker.coord.UnsureException if it may have been added
   */
  public Counted add(String scope, String name, long delta) {
    return add(path(scope, "counter", name), value -> value + delta);
  }

  private Counted add(String path, LongUnaryOperator change) {
    while (true) {
      nodes.create(path, number(0));
      Counted now = counted(path);
      long next = change.applyAsLong(now.value);
      if (nodes.write(path, number(next), now.version)) {
        return new Counted(next, now.version + 1);
      }
    }
  }

  private Counted counted(String path) {
    return nodes
        .read(path)
        .map(content -> new Counted(number(content.data()), content.version()))
        .orElse(new Counted(0, 0));
  }

  private static byte[] number(long value) {
    return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
  }

  private static long number(byte[] data) {
    return Long.parseLong(new String(data, StandardCharsets.US_ASCII));
  }

  // ---------------------------------------------------------------- configuration

  /** A named value; of version 0 and empty if it was never set. */
  public Named config(String scope, String name) {
    return named(path(scope, "config", name));
  }

  /**
   * Sets a named value.
   *
   * @param version which it has to have; empty if any will do
   * @return empty if it has another
   * @throws dev.imker.coord.UnsureException if it may have been set
   */
  public Optional<Named> configure(String scope, String name, byte[] data, OptionalInt version) {
    String path = path(scope, "config", name);
    while (true) {
      Named now = named(path);
      if (version.isPresent() && version.getAsInt() != now.version) {
        return Optional.empty();
      }
      boolean set =
          now.version == 0
              ? nodes.createOnce(path, data)
              : nodes.write(path, data, now.version - 1);
      if (set) {
        return Optional.of(new Named(data, now.version + 1));
      }
    }
  }

  /** The value as soon as it is not of this version. */
  public Named watch(String scope, String name, int version, long waitMillis)
      throws InterruptedException {
    String path = path(scope, "config", name);
    return waiters
        .await(
            path,
            "",
            waitMillis,
            () -> Optional.of(named(path)).filter(now -> now.version != version))
        .orElseGet(() -> named(path));
  }

  private Named named(String path) {
    return nodes
        .read(path)
        .map(content -> new Named(content.data(), content.version() + 1))
        .orElse(new Named(NOTHING, 0));
  }

  // ---------------------------------------------------------------- group

  public Group join(String scope, String name, Member self) {
    String group = path(scope, "group", name);
    nodes.create(group + "/" + self.node(), NOTHING);
    return group(group);
  }

  public Group part(String scope, String name, Member self) {
    String group = path(scope, "group", name);
    nodes.delete(group + "/" + self.node());
    return group(group);
  }

  /** Who is there, as soon as that is not what it was at this version. */
  public Group members(String scope, String name, OptionalLong since, long waitMillis)
      throws InterruptedException {
    String group = path(scope, "group", name);
    return waiters
        .await(
            group,
            "",
            waitMillis,
            () ->
                Optional.of(group(group))
                    .filter(now -> since.isEmpty() || now.version != since.getAsLong()))
        .orElseGet(() -> group(group));
  }

  /** Members and version of one and the same moment. */
  private Group group(String group) {
    dropGone(group);
    Nodes.Children now = nodes.children(group);
    return new Group(
        now.names().stream()
            .flatMap(node -> Member.of(node).stream())
            .map(Member::task)
            .sorted()
            .toList(),
        now.version());
  }

  // ---------------------------------------------------------------- queue

  /**
   * Puts something at the end of a queue.
   *
   * @throws dev.imker.coord.UnsureException if it may be there or not
   */
  public void put(String scope, String name, byte[] data) {
    String queue = path(scope, "queue", name);
    nodes.append(queue + "/i_", data);
  }

  /**
   * Takes what is first in a queue; nobody else gets it.
   *
   * @throws dev.imker.coord.UnsureException if something may have been taken
   */
  public Optional<byte[]> take(String scope, String name, long waitMillis)
      throws InterruptedException {
    String queue = path(scope, "queue", name);
    return waiters.await(queue, "", waitMillis, () -> first(queue, nodes.queue(queue)));
  }

  /** Looks again if others were faster: they may have taken what this one was woken for. */
  private Optional<byte[]> first(String queue, List<String> seen) {
    List<String> items = seen;
    while (!items.isEmpty()) {
      for (String node : items) {
        Optional<Nodes.Content> content = nodes.read(queue + "/" + node);
        if (content.isPresent() && nodes.remove(queue + "/" + node)) {
          return Optional.of(content.get().data());
        }
      }
      items = nodes.queue(queue);
    }
    return Optional.empty();
  }

  // ---------------------------------------------------------------- common

  /** Forgets everything of a scope. */
  public void forget(String scope) {
    nodes.deleteAll(ROOT + scope);
  }

  /** Names of all scopes that something is known of. */
  public List<String> scopes() {
    return nodes.children(ROOT.substring(0, ROOT.length() - 1)).names();
  }

  /** Those whose runs are over; that they go wakes whoever is next. */
  private void dropGone(String parent) {
    var _ = present(parent);
  }

  /** Who is there; those whose runs are over are removed. */
  private List<String> present(String parent) {
    return nodes.children(parent).names().stream()
        .filter(
            node -> {
              boolean there = isAlive(node);
              if (!there) {
                nodes.delete(parent + "/" + node);
              }
              return there;
            })
        .toList();
  }

  private boolean isAlive(String node) {
    return Member.of(node).map(alive::test).orElse(false);
  }

  /** Those who wait, for tests. */
  Waiters waiters() {
    return waiters;
  }

  private static String path(String scope, String kind, String name) {
    return ROOT + scope + "/" + kind + "/" + name;
  }

  @Override
  public void close() {
    watch.close();
    client.close();
  }
}
