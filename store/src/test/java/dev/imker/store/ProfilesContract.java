package dev.imker.store;

import static dev.imker.store.Samples.NODE;
import static dev.imker.store.Samples.OTHER_NODE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.Availability;
import dev.imker.model.JobId;
import dev.imker.model.ProjectId;
import dev.imker.model.change.NodeAvailable;
import dev.imker.model.change.NodeProfiled;
import dev.imker.model.change.ProjectProfiled;
import dev.imker.model.change.SettingPut;
import dev.imker.model.change.StrategyRemembered;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store must do with profiles and with settings that change in a turn of the loop. */
abstract class ProfilesContract {
  private static final ProjectId PROJECT = new ProjectId("ann", "plots");
  private static final ProjectId SAME_NAME = new ProjectId("bob", "plots");

  PoolStore store;

  abstract PoolStore open();

  @BeforeEach
  void open_store() {
    store = open();
  }

  @AfterEach
  void close_store() {
    store.close();
  }

  private Recovered recoveredAfterRestart() {
    store.close();
    store = open();
    return Recovered.of(store);
  }

  @Test
  void an_empty_store_has_no_profiles() {
    Recovered recovered = Recovered.of(store);
    assertThat(recovered.nodeProfiles).isEmpty();
    assertThat(recovered.projectProfiles).isEmpty();
  }

  @Test
  void profiles_come_back_in_the_order_they_first_came() {
    store.commit(
        List.of(
            new NodeProfiled(OTHER_NODE, "{\"version\":1}"),
            new NodeProfiled(NODE, "{}"),
            new ProjectProfiled(PROJECT, "{\"p\":1}"),
            new ProjectProfiled(SAME_NAME, "{\"p\":2}")));
    Recovered recovered = recoveredAfterRestart();
    assertThat(recovered.nodeProfiles.keySet()).containsExactly(OTHER_NODE, NODE);
    assertThat(recovered.nodeProfiles).containsEntry(OTHER_NODE, "{\"version\":1}");
    assertThat(recovered.projectProfiles)
        .containsExactlyInAnyOrderEntriesOf(Map.of(PROJECT, "{\"p\":1}", SAME_NAME, "{\"p\":2}"));
  }

  @Test
  void a_profile_replaces_the_one_before() {
    store.commit(List.of(new NodeProfiled(NODE, "1"), new ProjectProfiled(PROJECT, "1")));
    store.commit(
        List.of(
            new NodeProfiled(NODE, "2"),
            new NodeProfiled(NODE, "3"),
            new ProjectProfiled(PROJECT, "2")));
    Recovered recovered = recoveredAfterRestart();
    assertThat(recovered.nodeProfiles.values()).containsExactly("3");
    assertThat(recovered.projectProfiles.values()).containsExactly("2");
  }

  @Test
  void profiles_are_told_before_jobs_and_not_with_a_single_job() {
    store.commit(List.of(Samples.job(1, "a", 2), new NodeProfiled(NODE, "1")));
    Recovered all = recoveredAfterRestart();
    assertThat(all.nodeProfiles).hasSize(1);
    assertThat(all.jobs).hasSize(1);
    Recovered one = new Recovered();
    store.load(new JobId(1), one);
    assertThat(one.nodeProfiles).isEmpty();
  }

  @Test
  void what_strategies_have_learnt_comes_back_and_replaces_what_was_before() {
    store.commit(
        List.of(
            new StrategyRemembered("survival", "pool", "{\"a\":1}"),
            new StrategyRemembered("survival", "node n1", "{}"),
            new StrategyRemembered("survival", "pool", "{\"a\":2}")));
    assertThat(recoveredAfterRestart().memories)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("survival pool", "{\"a\":2}", "survival node n1", "{}"));
  }

  @Test
  void comings_and_goings_are_told_in_order_and_the_very_old_ones_forgotten() {
    long day = 24 * 3600 * 1000L;
    store.commit(List.of(new NodeAvailable(NODE, Availability.UP, day)));
    store.commit(
        List.of(
            new NodeAvailable(OTHER_NODE, Availability.UP, 100 * day),
            new NodeAvailable(NODE, Availability.DOWN, 101 * day)));
    assertThat(store.reads().availability(0))
        .containsExactly(
            new AvailabilityRecord(NODE, Availability.UP, day),
            new AvailabilityRecord(OTHER_NODE, Availability.UP, 100 * day),
            new AvailabilityRecord(NODE, Availability.DOWN, 101 * day));
    assertThat(store.reads().availability(101 * day)).hasSize(1);
    recoveredAfterRestart();
    store.commit(List.of(new NodeAvailable(NODE, Availability.UP, 200 * day)));
    assertThat(store.reads().availability(0)).hasSize(3);
  }

  @Test
  void a_setting_that_changes_with_other_things_is_kept() {
    store.putSetting("strategy", "one");
    store.commit(List.of(new SettingPut("strategy", "two"), new NodeProfiled(NODE, "1")));
    assertThat(store.setting("strategy")).contains("two");
    recoveredAfterRestart();
    assertThat(store.setting("strategy")).contains("two");
  }
}
