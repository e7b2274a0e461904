package dev.imker.coord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every way to decide leadership must do. */
abstract class LeadershipContract {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  final List<String> order = new CopyOnWriteArrayList<>();
  private final List<Candidate> all = new ArrayList<>();

  abstract Leadership leadership(String title) throws Exception;

  @AfterEach
  void close_all() {
    all.forEach(Candidate::close);
  }

  Candidate join(String name) throws Exception {
    Candidate candidate = new Candidate(name, leadership(name), order);
    all.add(candidate);
    return candidate;
  }

  /** Joins, and is in the queue on return. */
  Candidate queueUp(String name, Candidate witness) throws Exception {
    Candidate candidate = join(name);
    await().atMost(PATIENCE).until(() -> witness.leadership.successors().contains(name));
    return candidate;
  }

  void awaitLeader(Candidate candidate) {
    await().atMost(PATIENCE).until(candidate::leads);
  }

  @Test
  void single_candidate_leads_and_is_known() throws Exception {
    Candidate a = join("a");
    awaitLeader(a);
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(a.leadership.leader()).contains("a"));
    await().atMost(PATIENCE).until(() -> a.leadership.successors().isEmpty());
  }

  @Test
  void they_lead_in_the_order_in_which_they_came() throws Exception {
    Candidate a = join("a");
    awaitLeader(a);
    Candidate b = queueUp("b", a);
    Candidate c = queueUp("c", a);
    assertThat(a.leadership.successors()).containsExactly("b", "c");
    a.close();
    awaitLeader(b);
    assertThat(c.leads()).isFalse();
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(c.leadership.leader()).contains("b"));
    Candidate again = queueUp("a2", b);
    b.close();
    awaitLeader(c);
    c.close();
    awaitLeader(again);
    assertThat(order).containsExactly("a", "b", "c", "a2");
  }

  @Test
  void who_steps_down_goes_to_the_end_of_the_queue() throws Exception {
    Candidate a = join("a");
    awaitLeader(a);
    Candidate b = queueUp("b", a);
    a.leadership.stepDown("for the test");
    awaitLeader(b);
    await().atMost(PATIENCE).until(() -> !a.leads());
    await().atMost(PATIENCE).until(() -> b.leadership.successors().contains("a"));
    b.close();
    awaitLeader(a);
    assertThat(order).containsExactly("a", "b", "a");
    assertThat(a.told).containsExactly("lead", "follow", "lead");
  }
}
