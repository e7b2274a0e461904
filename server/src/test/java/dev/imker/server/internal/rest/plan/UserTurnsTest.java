package dev.imker.server.internal.rest.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UserTurnsTest {
  private final List<String> begun = Collections.synchronizedList(new ArrayList<>());

  private Runnable piece(String name, CountDownLatch until) {
    return () -> {
      begun.add(name);
      try {
        until.await();
      } catch (InterruptedException e) {
        begun.add(name + " interrupted");
      }
    };
  }

  @Test
  void the_long_work_of_one_user_keeps_no_other_waiting() throws Exception {
    CountDownLatch hard = new CountDownLatch(1);
    try (UserTurns turns = new UserTurns(2)) {
      turns.add("ada", piece("ada 1", hard));
      turns.add("ada", piece("ada 2", hard));
      turns.add("ada", piece("ada 3", hard));
      assertThat(turns.run("bea", () -> "planned")).isEqualTo("planned");
      assertThat(turns.waiting()).isEqualTo(2);
      assertThat(begun).containsExactly("ada 1");
    }
  }

  @Test
  void whoever_was_served_longest_ago_is_next() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(0);
    try (UserTurns turns = new UserTurns(1)) {
      turns.add("ada", piece("ada 1", gate));
      turns.add("ada", piece("ada 2", open));
      turns.add("bea", piece("bea 1", open));
      turns.add("bea", piece("bea 2", open));
      turns.add("cid", piece("cid 1", open));
      turns.add("dan", over::countDown);
      gate.countDown();
      assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(begun).startsWith("ada 1", "bea 1", "cid 1");
    }
  }

  @Test
  void whoever_has_many_waiting_is_refused_more_and_nobody_else_is() throws Exception {
    try (UserTurns turns = new UserTurns(2)) {
      CountDownLatch hard = new CountDownLatch(1);
      for (int i = 0; i < 9; i++) {
        turns.add("ada", piece("ada " + i, hard));
      }
      assertThatThrownBy(() -> turns.run("ada", () -> 1))
          .hasMessageContaining("of your planning requests");
      assertThat(turns.run("bea", () -> 1)).isEqualTo(1);
    }
  }

  @Test
  void failures_are_told_and_do_not_end_it() throws Exception {
    try (UserTurns turns = new UserTurns(1)) {
      assertThatThrownBy(
              () ->
                  turns.run(
                      "ada",
                      () -> {
                        throw new IllegalStateException("no plan");
                      }))
          .hasMessage("no plan");
      assertThat(turns.run("ada", () -> 1)).isEqualTo(1);
    }
  }

  @Test
  void what_is_under_way_is_interrupted_at_the_end_and_nothing_else_begins() {
    UserTurns turns = new UserTurns(1);
    turns.add("ada", piece("under way", new CountDownLatch(1)));
    turns.add("bea", piece("waits", new CountDownLatch(1)));
    turns.close();
    assertThat(begun).containsExactly("under way", "under way interrupted");
  }
}
