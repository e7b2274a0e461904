package dev.imker.agent.internal.neighbour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.OwnerActive;
import dev.imker.agent.internal.policy.Neighbour;
import org.junit.jupiter.api.Test;

final class CourtesyTest {
  private static final long AWAY = Long.MAX_VALUE;
  private static final long PLENTY = 8L << 30;
  private static final Neighbour TERMS =
      new Neighbour(OwnerActive.YES, 0.5, 60_000, 1L << 30, 600_000, 0);

  private final Courtesy courtesy = new Courtesy(TERMS);
  private long now;

  private Courtesy.Decision after(long seconds, long idleMillis, double load) {
    now += seconds * 1000;
    return courtesy.decide(now, new Observation(true, idleMillis, load, PLENTY));
  }

  @Test
  void tasks_freeze_at_once_when_the_owner_is_back_and_go_on_when_it_was_quiet_long_enough() {
    assertThat(after(1, AWAY, 0).pause()).isEmpty();
    assertThat(after(1, 100, 0).pause()).isEqualTo("its owner is using it");
    assertThat(after(30, 30_000, 0).pause()).isEqualTo("its owner is using it");
    assertThat(after(1, 500, 0).pause()).isNotEmpty();
    assertThat(after(40, 40_000, 0).pause()).isNotEmpty();
    assertThat(after(59, 99_000, 0).pause()).isNotEmpty();
    assertThat(after(1, 100_000, 0).pause()).isEmpty();
  }

  @Test
  void the_load_of_others_freezes_as_well() {
    assertThat(after(1, AWAY, 0.5).pause()).isEmpty();
    assertThat(after(1, AWAY, 0.6).pause()).isEqualTo("other programs need it");
    assertThat(after(59, AWAY, 0.1).pause()).isNotEmpty();
    assertThat(after(60, AWAY, 0.1).pause()).isEmpty();
  }

  @Test
  void tasks_may_be_left_some_cores_instead_of_being_frozen() {
    Courtesy sharing =
        new Courtesy(new Neighbour(OwnerActive.YES, 0.5, 60_000, 1L << 30, 600_000, 2));
    Observation used = new Observation(true, 100, 0, PLENTY);
    assertThat(sharing.decide(0, used))
        .isEqualTo(new Courtesy.Decision("", "its owner is using it", false, false));
    assertThat(sharing.decide(599_999, used).giveBackFrozen()).isFalse();
    assertThat(sharing.decide(600_000, used).giveBackFrozen()).isTrue();
    sharing.pauseByHand(true);
    assertThat(sharing.decide(600_001, used).pause()).isEqualTo("by its owner");
    sharing.pauseByHand(false);
    Observation unused = new Observation(true, 60_000, 0, PLENTY);
    sharing.decide(600_002, unused);
    assertThat(sharing.decide(660_002, unused).shrink()).isEmpty();
    Observation night = new Observation(false, 100, 0, PLENTY);
    assertThat(sharing.decide(660_003, night).pause()).isEqualTo("outside its active hours");
  }

  @Test
  void tasks_that_are_frozen_for_long_are_given_back() {
    assertThat(after(1, 0, 0).giveBackFrozen()).isFalse();
    assertThat(after(599, 0, 0).giveBackFrozen()).isFalse();
    assertThat(after(1, 0, 0).giveBackFrozen()).isTrue();
  }

  @Test
  void outside_the_hours_nothing_runs() {
    Observation night = new Observation(false, AWAY, 0, PLENTY);
    assertThat(courtesy.decide(0, night).pause()).isEqualTo("outside its active hours");
    assertThat(after(1, AWAY, 0).pause()).isEmpty();
  }

  @Test
  void the_owners_word_counts_until_it_is_taken_back() {
    courtesy.pauseByHand(true);
    assertThat(after(1, AWAY, 0).pause()).isEqualTo("by its owner");
    courtesy.pauseByHand(false);
    assertThat(after(1, AWAY, 0).pause()).isEmpty();
  }

  @Test
  void what_the_pool_orders_counts_after_what_the_owner_says() {
    courtesy.pauseByPool("by root: repair");
    assertThat(after(1, AWAY, 0).pause()).isEqualTo("by root: repair");
    courtesy.pauseByHand(true);
    assertThat(after(1, AWAY, 0).pause()).isEqualTo("by its owner");
    courtesy.pauseByPool("");
    assertThat(after(1, AWAY, 0).pause()).isEqualTo("by its owner");
    courtesy.pauseByHand(false);
    assertThat(after(1, AWAY, 0).pause()).isEmpty();
  }

  @Test
  void one_task_at_a_time_goes_when_memory_is_short() {
    Observation tight = new Observation(true, AWAY, 0, 1 << 20);
    assertThat(courtesy.decide(0, tight).giveBackYoungest()).isTrue();
    assertThat(courtesy.decide(1_000, tight).giveBackYoungest()).isFalse();
    assertThat(courtesy.decide(3_000, tight).giveBackYoungest()).isTrue();
    assertThat(courtesy.decide(9_000, new Observation(true, AWAY, 0, PLENTY)).giveBackYoungest())
        .isFalse();
  }
}
