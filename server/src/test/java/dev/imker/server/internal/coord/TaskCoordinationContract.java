package dev.imker.server.internal.coord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.coord.tasks.Member;
import dev.imker.coord.tasks.Once;
import dev.imker.coord.tasks.TaskCoordination;
import dev.imker.model.shared.SharedKind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What coordination promises to tasks, whoever keeps it. */
abstract class TaskCoordinationContract {
  static final long LONG = 60_000;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  abstract TaskCoordination all();

  /** Of this test alone. */
  abstract String scope();

  /** A run that goes on; 0 to 209. */
  abstract Member member(int number);

  /** The run of a member is over. */
  abstract void end(Member member);

  /** Where those wait that wait for it. */
  abstract String place(SharedKind kind, String name);

  @AfterEach
  void stop_threads() {
    threads.shutdownNow();
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
        entering.add(begin(() -> all().enter(scope(), "b", self, 3, LONG)));
      }
      for (Future<TaskCoordination.Entered> entered : entering) {
        assertThat(get(entered)).isEqualTo(new TaskCoordination.Entered(true, round));
      }
      assertThat(all().enter(scope(), "b", member(1), 3, 0).entered()).as("asked again").isTrue();
      assertThat(all().leave(scope(), "b", member(1), round, 0)).isFalse();
      assertThat(all().leave(scope(), "b", member(2), round, 0)).isFalse();
      assertThat(all().leave(scope(), "b", member(3), round, 0)).isTrue();
      assertThat(all().leave(scope(), "b", member(1), round, 0)).as("asked again").isTrue();
    }
  }

  @Test
  void who_comes_too_late_waits_for_the_next_round() throws Exception {
    Future<TaskCoordination.Entered> first =
        begin(() -> all().enter(scope(), "b", member(1), 2, LONG));
    get(begin(() -> all().enter(scope(), "b", member(2), 2, LONG)));
    get(first);
    assertThat(all().enter(scope(), "b", member(3), 2, 0).entered()).isFalse();
    all().leave(scope(), "b", member(1), 1, 0);
    assertThat(all().leave(scope(), "b", member(2), 1, 0)).isTrue();
    Future<TaskCoordination.Entered> third =
        begin(() -> all().enter(scope(), "b", member(3), 2, LONG));
    assertThat(all().enter(scope(), "b", member(4), 2, LONG).entered()).isTrue();
    assertThat(get(third).round()).isEqualTo(2);
  }

  @Test
  void dead_member_neither_counts_nor_blocks() throws Exception {
    Member dead = member(9);
    assertThat(all().enter(scope(), "b", dead, 2, 0).entered()).isFalse();
    end(dead);
    assertThat(all().enter(scope(), "b", member(1), 2, 0).entered()).isFalse();
    Member dies = member(8);
    assertThat(all().enter(scope(), "b", dies, 2, 0).entered()).isTrue();
    Future<Boolean> left = begin(() -> all().leave(scope(), "b", member(1), 1, LONG));
    end(dies);
    assertThat(get(left)).isTrue();
  }

  @Test
  void lock_goes_in_order_with_growing_numbers() throws Exception {
    TaskCoordination.Held first = all().acquire(scope(), "l", member(1), 0);
    assertThat(first.held()).isTrue();
    assertThat(first.fencing()).isPositive();
    assertThat(all().acquire(scope(), "l", member(1), 0)).isEqualTo(first);
    assertThat(all().acquire(scope(), "l", member(2), 0).held()).isFalse();
    assertThat(all().acquire(scope(), "l", member(3), 0).held()).isFalse();
    Future<TaskCoordination.Held> second =
        begin(() -> all().acquire(scope(), "l", member(2), LONG));
    assertThat(all().release(scope(), "l", member(1))).isTrue();
    assertThat(all().release(scope(), "l", member(1))).isFalse();
    assertThat(get(second).fencing()).isGreaterThan(first.fencing());
    end(member(2));
    TaskCoordination.Held third = all().acquire(scope(), "l", member(3), LONG);
    assertThat(third.held()).isTrue();
    assertThat(third.fencing()).isGreaterThan(get(second).fencing());
    all().release(scope(), "l", member(3));
    assertThat(all().acquire(scope(), "l", member(3), 0).fencing()).isGreaterThan(third.fencing());
  }

  @Test
  void one_that_goes_wakes_the_next_and_nobody_else() throws Exception {
    int many = 200;
    assertThat(all().acquire(scope(), "l", member(0), 0).held()).isTrue();
    List<Future<TaskCoordination.Held>> waiting = new ArrayList<>();
    for (int i = 1; i <= many; i++) {
      Member self = member(i);
      assertThat(all().acquire(scope(), "l", self, 0).held()).isFalse();
      waiting.add(begin(() -> all().acquire(scope(), "l", self, LONG)));
    }
    String path = place(SharedKind.LOCK, "l");
    await().atMost(Duration.ofSeconds(60)).until(() -> all().waiters().waiting(path) == many);
    long before = all().waiters().wakeUps();
    all().release(scope(), "l", member(0));
    assertThat(get(waiting.getFirst()).held()).isTrue();
    assertThat(all().waiters().wakeUps() - before).isEqualTo(1);
    end(member(1));
    for (int i = 2; i <= many; i++) {
      assertThat(get(waiting.get(i - 1)).held()).isTrue();
      all().release(scope(), "l", member(i));
    }
    assertThat(all().waiters().wakeUps() - before).isEqualTo(many);
  }

  @Test
  void what_is_put_into_a_queue_wakes_one_of_many_who_wait() throws Exception {
    int many = 50;
    List<Future<String>> waiting = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      waiting.add(begin(() -> take(LONG)));
    }
    String path = place(SharedKind.QUEUE, "q");
    await().atMost(Duration.ofSeconds(60)).until(() -> all().waiters().waiting(path) == many);
    long before = all().waiters().wakeUps();
    for (int i = 0; i < many; i++) {
      all()
          .put(
              scope(),
              "q",
              member(0),
              Integer.toString(i).getBytes(StandardCharsets.UTF_8),
              Once.NONE);
    }
    Set<String> taken = ConcurrentHashMap.newKeySet();
    for (Future<String> one : waiting) {
      assertThat(taken.add(get(one))).isTrue();
    }
    assertThat(all().waiters().wakeUps() - before).isLessThanOrEqualTo(many);
  }

  @Test
  void a_named_value_is_set_by_version_and_watched() throws Exception {
    assertThat(all().config(scope(), "v").version()).isZero();
    Future<TaskCoordination.Named> changed = begin(() -> all().watch(scope(), "v", 0, LONG));
    assertThat(configure("one", OptionalLong.of(0))).isEqualTo(1);
    assertThat(get(changed).data()).asString(StandardCharsets.UTF_8).isEqualTo("one");
    assertThat(configure("other", OptionalLong.of(0))).as("not of that version").isZero();
    Future<TaskCoordination.Named> again = begin(() -> all().watch(scope(), "v", 1, LONG));
    assertThat(configure("two", OptionalLong.of(1))).isEqualTo(2);
    assertThat(get(again).version()).isEqualTo(2);
    assertThat(configure("three", OptionalLong.empty())).isEqualTo(3);
    assertThat(all().watch(scope(), "v", 3, 0).data()).asString().isEqualTo("three");
  }

  private long configure(String text, OptionalLong version) throws Exception {
    return all()
        .configure(
            scope(), "v", member(1), text.getBytes(StandardCharsets.UTF_8), version, Once.NONE)
        .map(TaskCoordination.Named::version)
        .orElse(0L);
  }

  @Test
  void next_one_leads_when_the_leader_is_gone() throws Exception {
    assertThat(all().stand(scope(), "e", member(1)))
        .isEqualTo(new TaskCoordination.Elected(member(1).task(), true));
    assertThat(all().stand(scope(), "e", member(2)))
        .isEqualTo(new TaskCoordination.Elected(member(1).task(), false));
    Future<TaskCoordination.Elected> next = begin(() -> all().lead(scope(), "e", member(2), LONG));
    end(member(1));
    assertThat(get(next).you()).isTrue();
    assertThat(all().resign(scope(), "e", member(2))).isTrue();
    assertThat(all().stand(scope(), "e", member(3)).you()).isTrue();
  }

  @Test
  void counter_changes_only_from_the_version_that_was_read() throws Exception {
    assertThat(all().counter(scope(), "c")).isEqualTo(new TaskCoordination.Counted(0, 0));
    assertThat(all().set(scope(), "c", member(1), 5, 0, Once.NONE))
        .contains(new TaskCoordination.Counted(5, 1));
    assertThat(all().set(scope(), "c", member(1), 6, 0, Once.NONE)).isEmpty();
    List<Future<TaskCoordination.Counted>> adding = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      adding.add(begin(() -> all().add(scope(), "c", member(1), 2, Once.NONE)));
    }
    for (Future<TaskCoordination.Counted> added : adding) {
      get(added);
    }
    assertThat(all().counter(scope(), "c").value()).isEqualTo(45);
  }

  @Test
  void group_tells_who_comes_and_goes() throws Exception {
    TaskCoordination.Group first = all().join(scope(), "g", member(1));
    assertThat(first.members()).containsExactly(member(1).task());
    Future<TaskCoordination.Group> changed =
        begin(() -> all().members(scope(), "g", OptionalLong.of(first.version()), LONG));
    all().join(scope(), "g", member(2));
    TaskCoordination.Group both = get(changed);
    assertThat(both.members()).containsExactly(member(1).task(), member(2).task());
    Future<TaskCoordination.Group> gone =
        begin(() -> all().members(scope(), "g", OptionalLong.of(both.version()), LONG));
    end(member(1));
    assertThat(get(gone).members()).containsExactly(member(2).task());
    assertThat(all().part(scope(), "g", member(2)).members()).isEmpty();
  }

  @Test
  void queue_gives_everything_once_and_in_order() throws Exception {
    Future<String> waiting = begin(() -> take(LONG));
    all().put(scope(), "q", member(0), "first".getBytes(StandardCharsets.UTF_8), Once.NONE);
    assertThat(get(waiting)).isEqualTo("first");
    for (int i = 0; i < 20; i++) {
      all()
          .put(
              scope(),
              "q",
              member(0),
              Integer.toString(i).getBytes(StandardCharsets.UTF_8),
              Once.NONE);
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
    return all()
        .take(scope(), "q", member(0), waitMillis, Once.NONE)
        .map(data -> new String(data, StandardCharsets.UTF_8))
        .orElse("");
  }

  @Test
  void what_bears_a_mark_happens_once_however_often_it_is_asked() throws Exception {
    Member self = member(1);
    Once add = new Once("channel", 1);
    for (int i = 0; i < 3; i++) {
      assertThat(all().add(scope(), "c", self, 5, add).value()).isEqualTo(5);
    }
    assertThat(all().add(scope(), "c", self, 5, new Once("channel", 2)).value()).isEqualTo(10);
    assertThat(all().add(scope(), "c", member(2), 5, add).value()).as("of another").isEqualTo(15);
    Once set = new Once("channel", 3);
    TaskCoordination.Counted read = all().counter(scope(), "c");
    for (int i = 0; i < 3; i++) {
      assertThat(all().set(scope(), "c", self, 7, read.version(), set).orElseThrow().value())
          .isEqualTo(7);
    }
    for (int i = 0; i < 3; i++) {
      Once configure = new Once("other", 1);
      assertThat(
              all()
                  .configure(scope(), "v", self, bytes("x"), OptionalLong.of(0), configure)
                  .orElseThrow()
                  .version())
          .isEqualTo(1);
    }
    for (int i = 0; i < 3; i++) {
      all().put(scope(), "q", self, bytes("first"), new Once("other", 2));
    }
    all().put(scope(), "q", self, bytes("second"), new Once("other", 3));
    Once take = new Once("other", 4);
    for (int i = 0; i < 3; i++) {
      assertThat(all().take(scope(), "q", self, 0, take).orElseThrow())
          .asString()
          .isEqualTo("first");
    }
    assertThat(take(0)).isEqualTo("second");
    assertThat(take(0)).isEmpty();
  }

  @Test
  void a_mark_is_for_one_question_and_channels_go_forward() throws Exception {
    Member self = member(1);
    all().add(scope(), "c", self, 1, new Once("channel", 5));
    assertThatThrownBy(() -> all().add(scope(), "c", self, 1, new Once("channel", 4)))
        .hasMessageContaining("later request");
    assertThatThrownBy(() -> all().add(scope(), "d", self, 1, new Once("channel", 5)))
        .hasMessageContaining("different request");
    assertThat(all().counter(scope(), "c").value()).isEqualTo(1);
    assertThat(all().counter(scope(), "d").value()).isZero();
  }

  @Test
  void the_same_question_at_the_same_time_is_one() throws Exception {
    Member self = member(1);
    List<Future<String>> asking = new ArrayList<>();
    CountDownLatch added = new CountDownLatch(20);
    for (int i = 0; i < 20; i++) {
      asking.add(
          begin(
              () -> {
                Once take = new Once("taking", 1);
                all().add(scope(), "c", self, 1, new Once("adding", 1));
                added.countDown();
                return new String(
                    all().take(scope(), "q", self, LONG, take).orElseThrow(),
                    StandardCharsets.UTF_8);
              }));
    }
    all().put(scope(), "q", self, bytes("one"), Once.NONE);
    all().put(scope(), "q", self, bytes("two"), Once.NONE);
    for (Future<String> one : asking) {
      // Those who were not woken for an item ask again.
      assertThat(one.isDone() ? get(one) : "one").isEqualTo("one");
    }
    assertThat(all().take(scope(), "q", self, LONG, new Once("taking", 1)).orElseThrow())
        .asString()
        .isEqualTo("one");
    assertThat(take(0)).isEqualTo("two");
    assertThat(added.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(all().counter(scope(), "c").value()).isEqualTo(1);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void nothing_is_left_of_a_scope_that_is_forgotten() throws Exception {
    all().add(scope(), "c", member(1), 1, Once.NONE);
    all().join(scope(), "g", member(1));
    assertThat(all().scopes()).contains(scope());
    all().forget(scope());
    await().atMost(Duration.ofSeconds(60)).until(() -> !all().scopes().contains(scope()));
    assertThat(all().counter(scope(), "c").value()).isZero();
  }
}
