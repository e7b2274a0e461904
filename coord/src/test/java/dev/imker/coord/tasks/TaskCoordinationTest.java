package dev.imker.coord.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipes, on a real ZooKeeper inside this process. */
class TaskCoordinationTest {
  private static final long LONG = 60_000;
  private static final AtomicInteger SCOPES = new AtomicInteger();

  @TempDir static Path folder;
  private static EmbeddedZooKeeper zookeeper;
  private static TaskCoordination all;
  private static final Set<Member> GONE = ConcurrentHashMap.newKeySet();

  private final String scope = Integer.toString(SCOPES.incrementAndGet());
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @BeforeAll
  static void start() {
    zookeeper = EmbeddedZooKeeper.start(folder);
    all = new TaskCoordination(zookeeper.connect(), member -> !GONE.contains(member), 3);
  }

  @AfterAll
  static void stop() {
    all.close();
    zookeeper.close();
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private Member member(int number) {
    return new Member(scope + "." + number, scope + "-" + number + "-77");
  }

  private <T> Future<T> begin(Callable<T> call) {
    return threads.submit(call);
  }

  private static <T> T get(Future<T> future) throws Exception {
    return future.get(LONG, TimeUnit.MILLISECONDS);
  }

  @Test
  void all_enter_together_and_leave_together_round_after_round() throws Exception {
    for (int round = 1; round <= 3; round++) {
      List<Future<TaskCoordination.Entered>> entering = new ArrayList<>();
      for (int i = 1; i <= 3; i++) {
        Member self = member(i);
        assertThat(entering).noneMatch(Future::isDone);
        entering.add(begin(() -> all.enter(scope, "b", self, 3, LONG)));
      }
      for (Future<TaskCoordination.Entered> entered : entering) {
        assertThat(get(entered)).isEqualTo(new TaskCoordination.Entered(true, round));
      }
      assertThat(all.enter(scope, "b", member(1), 3, 0).entered()).as("asked again").isTrue();
      assertThat(all.leave(scope, "b", member(1), round, 0)).isFalse();
      assertThat(all.leave(scope, "b", member(2), round, 0)).isFalse();
      assertThat(all.leave(scope, "b", member(3), round, 0)).isTrue();
      assertThat(all.leave(scope, "b", member(1), round, 0)).as("asked again").isTrue();
    }
  }

  @Test
  void who_comes_too_late_waits_for_the_next_round() throws Exception {
    Future<TaskCoordination.Entered> first = begin(() -> all.enter(scope, "b", member(1), 2, LONG));
    get(begin(() -> all.enter(scope, "b", member(2), 2, LONG)));
    get(first);
    assertThat(all.enter(scope, "b", member(3), 2, 0).entered()).isFalse();
    all.leave(scope, "b", member(1), 1, 0);
    assertThat(all.leave(scope, "b", member(2), 1, 0)).isTrue();
    Future<TaskCoordination.Entered> third = begin(() -> all.enter(scope, "b", member(3), 2, LONG));
    assertThat(all.enter(scope, "b", member(4), 2, LONG).entered()).isTrue();
    assertThat(get(third).round()).isEqualTo(2);
  }

  @Test
  void dead_member_neither_counts_nor_blocks() throws Exception {
    Member dead = member(9);
    assertThat(all.enter(scope, "b", dead, 2, 0).entered()).isFalse();
    GONE.add(dead);
    assertThat(all.enter(scope, "b", member(1), 2, 0).entered()).isFalse();
    Member dies = member(8);
    assertThat(all.enter(scope, "b", dies, 2, 0).entered()).isTrue();
    Future<Boolean> left = begin(() -> all.leave(scope, "b", member(1), 1, LONG));
    GONE.add(dies);
    assertThat(get(left)).isTrue();
  }

  @Test
  void lock_goes_in_order_with_growing_numbers() throws Exception {
    TaskCoordination.Held first = all.acquire(scope, "l", member(1), 0);
    assertThat(first.held()).isTrue();
    assertThat(first.fencing()).isGreaterThanOrEqualTo(3L << 32);
    assertThat(all.acquire(scope, "l", member(1), 0)).isEqualTo(first);
    assertThat(all.acquire(scope, "l", member(2), 0).held()).isFalse();
    assertThat(all.acquire(scope, "l", member(3), 0).held()).isFalse();
    Future<TaskCoordination.Held> second = begin(() -> all.acquire(scope, "l", member(2), LONG));
    assertThat(all.release(scope, "l", member(1))).isTrue();
    assertThat(all.release(scope, "l", member(1))).isFalse();
    assertThat(get(second).fencing()).isGreaterThan(first.fencing());
    GONE.add(member(2));
    TaskCoordination.Held third = all.acquire(scope, "l", member(3), LONG);
    assertThat(third.held()).isTrue();
    assertThat(third.fencing()).isGreaterThan(get(second).fencing());
    all.release(scope, "l", member(3));
    assertThat(all.acquire(scope, "l", member(3), 0).fencing()).isGreaterThan(third.fencing());
  }

  @Test
  void one_that_goes_wakes_the_next_and_nobody_else() throws Exception {
    int many = 200;
    assertThat(all.acquire(scope, "l", member(0), 0).held()).isTrue();
    List<Future<TaskCoordination.Held>> waiting = new ArrayList<>();
    for (int i = 1; i <= many; i++) {
      Member self = member(i);
      assertThat(all.acquire(scope, "l", self, 0).held()).isFalse();
      waiting.add(begin(() -> all.acquire(scope, "l", self, LONG)));
    }
    String path = "/imker/tasks/" + scope + "/lock/l";
    await().atMost(Duration.ofSeconds(60)).until(() -> all.waiters().waiting(path) == many);
    long before = all.waiters().wakeUps();
    all.release(scope, "l", member(0));
    assertThat(get(waiting.getFirst()).held()).isTrue();
    assertThat(all.waiters().wakeUps() - before).isEqualTo(1);
    GONE.add(member(1));
    for (int i = 2; i <= many; i++) {
      assertThat(get(waiting.get(i - 1)).held()).isTrue();
      all.release(scope, "l", member(i));
    }
    assertThat(all.waiters().wakeUps() - before).isEqualTo(many);
  }

  @Test
  void what_is_put_into_a_queue_wakes_one_of_many_who_wait() throws Exception {
    int many = 50;
    List<Future<String>> waiting = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      waiting.add(begin(() -> take(LONG)));
    }
    String path = "/imker/tasks/" + scope + "/queue/q";
    await().atMost(Duration.ofSeconds(60)).until(() -> all.waiters().waiting(path) == many);
    long before = all.waiters().wakeUps();
    for (int i = 0; i < many; i++) {
      all.put(scope, "q", Integer.toString(i).getBytes(StandardCharsets.UTF_8));
    }
    Set<String> taken = ConcurrentHashMap.newKeySet();
    for (Future<String> one : waiting) {
      assertThat(taken.add(get(one))).isTrue();
    }
    assertThat(all.waiters().wakeUps() - before).isLessThanOrEqualTo(many);
  }

  @Test
  void a_named_value_is_set_by_version_and_watched() throws Exception {
    assertThat(all.config(scope, "v").version()).isZero();
    Future<TaskCoordination.Named> changed = begin(() -> all.watch(scope, "v", 0, LONG));
    assertThat(configure("one", OptionalInt.of(0))).isEqualTo(1);
    assertThat(get(changed).data()).asString(StandardCharsets.UTF_8).isEqualTo("one");
    assertThat(configure("other", OptionalInt.of(0))).as("not of that version").isZero();
    Future<TaskCoordination.Named> again = begin(() -> all.watch(scope, "v", 1, LONG));
    assertThat(configure("two", OptionalInt.of(1))).isEqualTo(2);
    assertThat(get(again).version()).isEqualTo(2);
    assertThat(configure("three", OptionalInt.empty())).isEqualTo(3);
    assertThat(all.watch(scope, "v", 3, 0).data()).asString().isEqualTo("three");
  }

  private int configure(String text, OptionalInt version) {
    return all.configure(scope, "v", text.getBytes(StandardCharsets.UTF_8), version)
        .map(TaskCoordination.Named::version)
        .orElse(0);
  }

  @Test
  void next_one_leads_when_the_leader_is_gone() throws Exception {
    assertThat(all.stand(scope, "e", member(1)))
        .isEqualTo(new TaskCoordination.Elected(scope + ".1", true));
    assertThat(all.stand(scope, "e", member(2)))
        .isEqualTo(new TaskCoordination.Elected(scope + ".1", false));
    Future<TaskCoordination.Elected> next = begin(() -> all.lead(scope, "e", member(2), LONG));
    GONE.add(member(1));
    assertThat(get(next).you()).isTrue();
    assertThat(all.resign(scope, "e", member(2))).isTrue();
    assertThat(all.stand(scope, "e", member(3)).you()).isTrue();
  }

  @Test
  void counter_changes_only_from_the_version_that_was_read() throws Exception {
    assertThat(all.counter(scope, "c")).isEqualTo(new TaskCoordination.Counted(0, 0));
    assertThat(all.set(scope, "c", 5, 0)).contains(new TaskCoordination.Counted(5, 1));
    assertThat(all.set(scope, "c", 6, 0)).isEmpty();
    List<Future<TaskCoordination.Counted>> adding = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      adding.add(begin(() -> all.add(scope, "c", 2)));
    }
    for (Future<TaskCoordination.Counted> added : adding) {
      get(added);
    }
    assertThat(all.counter(scope, "c").value()).isEqualTo(45);
  }

  @Test
  void group_tells_who_comes_and_goes() throws Exception {
    TaskCoordination.Group first = all.join(scope, "g", member(1));
    assertThat(first.members()).containsExactly(scope + ".1");
    Future<TaskCoordination.Group> changed =
        begin(() -> all.members(scope, "g", OptionalLong.of(first.version()), LONG));
    all.join(scope, "g", member(2));
    TaskCoordination.Group both = get(changed);
    assertThat(both.members()).containsExactly(scope + ".1", scope + ".2");
    Future<TaskCoordination.Group> gone =
        begin(() -> all.members(scope, "g", OptionalLong.of(both.version()), LONG));
    GONE.add(member(1));
    assertThat(get(gone).members()).containsExactly(scope + ".2");
    assertThat(all.part(scope, "g", member(2)).members()).isEmpty();
  }

  @Test
  void queue_gives_everything_once_and_in_order() throws Exception {
    Future<String> waiting = begin(() -> take(LONG));
    all.put(scope, "q", "first".getBytes(StandardCharsets.UTF_8));
    assertThat(get(waiting)).isEqualTo("first");
    for (int i = 0; i < 20; i++) {
      all.put(scope, "q", Integer.toString(i).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(take(0)).isEqualTo("0");
    List<Future<String>> taking = new ArrayList<>();
    for (int i = 1; i < 20; i++) {
      taking.add(begin(() -> take(LONG)));
    }
    Set<String> taken = ConcurrentHashMap.newKeySet();
    for (Future<String> one : taking) {
      assertThat(taken.add(get(one))).isTrue();
    }
    assertThat(take(0)).isEmpty();
  }

  private String take(long waitMillis) throws InterruptedException {
    return all.take(scope, "q", waitMillis)
        .map(data -> new String(data, StandardCharsets.UTF_8))
        .orElse("");
  }

  @Test
  void nothing_is_left_of_a_scope_that_is_forgotten() throws Exception {
    all.add(scope, "c", 1);
    all.join(scope, "g", member(1));
    assertThat(all.scopes()).contains(scope);
    all.forget(scope);
    await().atMost(Duration.ofSeconds(60)).until(() -> !all.scopes().contains(scope));
    assertThat(all.counter(scope, "c").value()).isZero();
  }
}
