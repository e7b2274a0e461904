package dev.imker.coord.tasks;

import dev.imker.coord.ZooKeeperAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * Barriers, locks, elections, counters, named values, groups and queues for running tasks, by the
 * recipes of ZooKeeper. The server acts for its tasks, so nodes are not bound to a session: each is
 * named after its run and counts only while that run has its lease. Any caller that finds the node
 * of a finished run removes it.
 *
 * <p>Waiting calls have a time limit and can be repeated without further effect.
 */
public final class ZooKeeperCoordination implements TaskCoordination {
  static final String ROOT = "/imker/tasks/";
  private static final int LOCKS = 64;
  private static final int SESSION_MILLIS = 10_000;
  private static final byte[] NOTHING = new byte[0];

  private final CuratorFramework client;
  private final Nodes nodes;
  private final Answers answers;
  private final ValueNodes values;
  private final Predicate<Member> alive;
  private final long fencingBase;
  private final Waiters waiters = new Waiters();
  private final Watch watch;
  private final List<ReentrantLock> locks =
      Stream.generate(ReentrantLock::new).limit(LOCKS).toList();

  /**
   * @param alive whether a run still has its lease
   * @param epoch makes fencing numbers exceed those of a former server
   */
  public ZooKeeperCoordination(String connect, Predicate<Member> alive, long epoch) {
    this(connect, alive, epoch, SESSION_MILLIS);
  }

  ZooKeeperCoordination(String connect, Predicate<Member> alive, long epoch, int sessionMillis) {
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
    answers = new Answers(nodes);
    values = new ValueNodes(nodes, answers);
    watch = new Watch(client, nodes, waiters, ROOT, this::dropGone);
  }

  // ---------------------------------------------------------------- barrier

  /**
   * Enters a double barrier, which opens as soon as the given number of members has arrived. Waits
   * for the end of a round that is under way without this member.
   */
  @Override
  public Entered enter(String scope, String name, Member self, int size, long waitMillis)
      throws InterruptedException {
    String barrier = path(scope, "barrier", name);
    return waiters
        .await(barrier, "", waitMillis, () -> alone(barrier, () -> tryEnter(barrier, self, size)))
        .orElseGet(() -> new Entered(false, round(barrier)));
  }

  /** Leaves the barrier as soon as all others of the round have left or are gone. */
  @Override
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
    values.add(barrier + "/round", 1);
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
    return values.counted(barrier + "/round").value();
  }

  // ---------------------------------------------------------------- lock and election

  /** Waits in the queue of a lock, and keeps its place for the next call. */
  @Override
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

  /** Releases a lock or the place in its queue; false if it had neither. */
  @Override
  public boolean release(String scope, String name, Member self) {
    return dequeue(path(scope, "lock", name), self);
  }

  /** Joins an election and returns the leader. */
  @Override
  public Elected stand(String scope, String name, Member self) {
    String queue = path(scope, "election", name);
    enqueue(queue, self);
    return elected(queue, self);
  }

  /** Waits until this member leads. */
  @Override
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

  /** Leaves the election. */
  @Override
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

  /** Operations of several steps are serialised. */
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
    // There are two if the answer to the first was lost.
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

  // ---------------------------------------------------------------- counter and named value

  @Override
  public Counted counter(String scope, String name) {
    return values.counted(path(scope, "counter", name));
  }

  @Override
  public Optional<Counted> set(
      String scope, String name, Member self, long value, long version, Once once) {
    return values.set(
        path(scope, "counter", name),
        value,
        version,
        question(scope, "counter", name, "set", self, once));
  }

  @Override
  public Counted add(String scope, String name, Member self, long delta, Once once) {
    return values.add(
        path(scope, "counter", name), delta, question(scope, "counter", name, "add", self, once));
  }

  private static Answers.Question question(
      String scope, String kind, String name, String action, Member self, Once once) {
    return new Answers.Question(scope, self, once, Told.question(scope, kind, name, action));
  }

  @Override
  public Named config(String scope, String name) {
    return values.named(path(scope, "config", name));
  }

  @Override
  public Optional<Named> configure(
      String scope, String name, Member self, byte[] data, OptionalLong version, Once once) {
    return values.configure(
        path(scope, "config", name),
        data,
        version,
        question(scope, "config", name, "set", self, once));
  }

  /** The value as soon as it has another version. */
  @Override
  public Named watch(String scope, String name, long version, long waitMillis)
      throws InterruptedException {
    String path = path(scope, "config", name);
    return waiters
        .await(
            path,
            "",
            waitMillis,
            () -> Optional.of(values.named(path)).filter(now -> now.version() != version))
        .orElseGet(() -> values.named(path));
  }

  // ---------------------------------------------------------------- group

  @Override
  public Group join(String scope, String name, Member self) {
    String group = path(scope, "group", name);
    nodes.create(group + "/" + self.node(), NOTHING);
    return group(group);
  }

  @Override
  public Group part(String scope, String name, Member self) {
    String group = path(scope, "group", name);
    nodes.delete(group + "/" + self.node());
    return group(group);
  }

  /** The members as soon as they differ from those of this version. */
  @Override
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
                    .filter(now -> since.isEmpty() || now.version() != since.getAsLong()))
        .orElseGet(() -> group(group));
  }

  /** Members and version from the same moment. */
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
   * Adds an item to the end of a queue.
   *
   * @throws dev.imker.coord.UnsureException if it is unknown whether it was added, and it has no
   *     mark
   */
  @Override
  public void put(String scope, String name, Member self, byte[] data, Once once) {
    String queue = path(scope, "queue", name);
    if (once.isNone()) {
      nodes.append(queue + "/i_", data);
      return;
    }
    nodes.create(queue, NOTHING);
    Answers.Question question = question(scope, "queue", name, "put", self, once);
    var _ =
        answers.once(
            question,
            () ->
                Optional.of(
                    new Answers.Try(
                        nodes.appending(queue + "/i_", data), question.told(0, 0, NOTHING))));
  }

  /**
   * Takes the first item of a queue; nobody else gets it.
   *
   * @throws dev.imker.coord.UnsureException if an item may have been taken, and it has no mark
   */
  @Override
  public Optional<byte[]> take(String scope, String name, Member self, long waitMillis, Once once)
      throws InterruptedException {
    String queue = path(scope, "queue", name);
    if (!once.isNone()) {
      Answers.Question question = question(scope, "queue", name, "take", self, once);
      Supplier<Optional<byte[]>> look =
          () -> answers.once(question, () -> taking(queue, question)).map(Told::data);
      // The same request over a broken connection may have been answered meanwhile.
      return waiters.await(queue, "", waitMillis, look).or(look);
    }
    return waiters.await(queue, "", waitMillis, () -> first(queue, nodes.queue(queue)));
  }

  private Optional<Answers.Try> taking(String queue, Answers.Question question) {
    for (String node : nodes.queue(queue)) {
      Optional<Nodes.Content> content = nodes.read(queue + "/" + node);
      if (content.isPresent()) {
        Told told = question.told(0, 0, content.get().data());
        return Optional.of(new Answers.Try(nodes.removing(queue + "/" + node), told));
      }
    }
    return Optional.empty();
  }

  /** Checks again if others were faster and took the item for which this one was woken. */
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

  /** Removes everything of a scope. */
  @Override
  public void forget(String scope) {
    nodes.deleteAll(ROOT + scope);
  }

  /** The names of all non-empty scopes. */
  @Override
  public List<String> scopes() {
    return nodes.children(ROOT.substring(0, ROOT.length() - 1)).names();
  }

  /** The members whose runs are finished; their removal wakes the next one. */
  private void dropGone(String parent) {
    var _ = present(parent);
  }

  /** The members; those whose runs are finished are removed. */
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

  @Override
  public void tidy(String scope) {
    answers.tidy(scope, this::isAlive);
  }

  @Override
  public Waiters waiters() {
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
