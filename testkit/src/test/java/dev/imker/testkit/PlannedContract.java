package dev.imker.testkit;

import static dev.imker.client.PlannedJob.relation;
import static dev.imker.client.PlannedJob.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.client.Imker;
import dev.imker.client.PlannedJob;
import dev.imker.client.plan.FailureStrategy;
import dev.imker.client.plan.JobFailedException;
import dev.imker.client.plan.NoPlanException;
import dev.imker.client.plan.Wanted;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What planned jobs do, wherever they run. */
abstract class PlannedContract {
  private static final long PATIENCE_SECONDS = 60;

  @TempDir Path marks;

  abstract Imker imker();

  private static Wanted get(Future<Wanted> future) throws Exception {
    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  private PlannedJob socialMedia() {
    return imker().planned("suggest").with(SocialMedia.ACTIONS).has(new SocialMedia.UserId("ada"));
  }

  @Test
  void eleven_tasks_lead_from_a_user_to_suggestions() throws Exception {
    PlannedJob job = socialMedia().wants(SocialMedia.Suggestions.class);
    assertThat(job.plan().dag().actions()).hasSize(11);
    List<String> names = get(job.submit()).get(SocialMedia.Suggestions.class).names();
    assertThat(names).hasSize(16).allMatch(name -> name.endsWith("of ada"));
  }

  @Test
  void what_cannot_be_reached_is_told_at_once() {
    PlannedJob job = socialMedia().wants(Chain.Third.class);
    assertThatThrownBy(job::submit)
        .isInstanceOf(NoPlanException.class)
        .hasMessageContaining("11 actions")
        .hasMessageContaining("no action achieves (" + Chain.Third.class.getName() + ")");
  }

  @Test
  void what_is_there_already_needs_no_task() throws Exception {
    SocialMedia.UserId ada = new SocialMedia.UserId("ada");
    Wanted wanted = get(socialMedia().wants(SocialMedia.UserId.class).submit());
    assertThat(wanted.get(SocialMedia.UserId.class)).isEqualTo(ada);
    assertThatThrownBy(() -> socialMedia().has(new SocialMedia.UserId("bob")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("already has dev.imker.testkit.SocialMedia$UserId");
  }

  @Test
  void a_value_of_a_subtype_will_do() throws Exception {
    for (Object first : List.of(new Kinds.Egg("ida"), new Kinds.Bee("ida"))) {
      Wanted wanted =
          get(
              imker()
                  .planned("kinds")
                  .with(Kinds.Hatch.class, Kinds.See.class)
                  .has(first)
                  .wants(Kinds.Seen.class)
                  .submit());
      assertThat(wanted.get(Kinds.Seen.class).name()).isEqualTo("ida");
      assertThat(wanted.get(first.getClass())).isEqualTo(first);
    }
  }

  @Test
  void a_task_that_does_not_leave_what_it_promised_fails() {
    Future<Wanted> job =
        imker()
            .planned("forgetful")
            .with(Kinds.Forget.class)
            .has(new Kinds.Egg("ida"))
            .wants(Kinds.Never.class)
            .submit();
    assertThatThrownBy(() -> get(job))
        .hasMessageContaining("Kinds$Never in @Effects but did not put it");
  }

  @Test
  void actions_spawn_tasks_and_use_what_these_come_to() throws Exception {
    Wanted wanted =
        get(
            imker()
                .planned("swarm")
                .with(Kinds.Raise.class)
                .has(new Kinds.Egg("ida"))
                .wants(Kinds.Swarm.class)
                .submit());
    assertThat(wanted.get(Kinds.Swarm.class).bees()).isEqualTo(2);
  }

  @Test
  void two_freights_share_a_plane() throws Exception {
    PlannedJob job =
        imker()
            .planned("cargo")
            .with(Cargo.Load.class, Cargo.Unload.class, Cargo.Fly.class)
            .has(value("Freight", "f1", new Cargo.Journey("f1:")))
            .has(value("Freight", "f2", new Cargo.Journey("f2:")))
            .has(value("Plane", "p", "a plane"))
            .has(value("Airport", "a", "Aachen"))
            .has(value("Airport", "b", "Bern"))
            .has(relation("At", "f1", "a"))
            .has(relation("At", "f2", "a"))
            .has(relation("Stands", "p", "a"))
            .wants(relation("At", "f1", "b"))
            .wants(relation("At", "f2", "b"));
    assertThat(job.plan().result().stepCount()).isEqualTo(3);
    Wanted wanted = get(job.submit());
    assertThat(wanted.get(Cargo.Journey.class, "f1").text())
        .isEqualTo("f1: loaded in a unloaded in b");
    assertThat(wanted.get(Cargo.Journey.class, "f2").text())
        .isEqualTo("f2: loaded in a unloaded in b");
  }

  @Test
  void large_values_reach_every_task() throws Exception {
    Wanted wanted =
        get(
            imker()
                .planned("large")
                .with(Large.CopyComb.class, Large.Measure.class)
                .has(new Large.Comb(new byte[1_500_000]))
                .wants(Large.Size.class)
                .submit());
    assertThat(wanted.get(Large.Size.class).cells()).isEqualTo(3_000_000);
  }

  private PlannedJob chain(int failures) {
    return imker()
        .planned("chain")
        .with(Chain.DoFirst.class, Chain.DoSecond.class, Chain.DoThird.class)
        .has(new Chain.Plan(marks.toString(), failures))
        .wants(Chain.Third.class);
  }

  private List<String> diary() throws Exception {
    return Files.readAllLines(marks.resolve("diary"));
  }

  @Test
  void a_task_that_fails_twice_is_rescued() throws Exception {
    Wanted wanted =
        get(chain(2).onFailure(FailureStrategy.rerun(3, Duration.ofMillis(10))).submit());
    assertThat(wanted.get(Chain.Third.class).value()).isEqualTo(3);
    assertThat(wanted.get(Chain.Third.class).rescuedFrom()).contains("the third one fails");
    assertThat(diary())
        .containsExactly("first", "second", "third", "rescue", "third", "rescue", "third");
  }

  @Test
  void a_job_that_is_to_abort_fails_with_its_first_task() throws Exception {
    assertThatThrownBy(() -> get(chain(1).submit()))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("the third one fails");
    assertThat(diary()).containsExactly("first", "second", "third");
  }

  @Test
  void a_job_begins_again() throws Exception {
    Wanted wanted = get(chain(1).onFailure(FailureStrategy.restart(2)).submit());
    assertThat(wanted.get(Chain.Third.class).value()).isEqualTo(3);
    assertThat(diary()).containsExactly("first", "second", "third", "first", "second", "third");
  }

  @Test
  void a_job_is_rolled_back_in_reverse_order() throws Exception {
    assertThatThrownBy(() -> get(chain(9).onFailure(FailureStrategy.rollback()).submit()))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("the third one fails")
        .hasMessageContaining("everything that was done has been undone");
    assertThat(diary()).containsExactly("first", "second", "third", "undo second", "undo first");
  }

  @Test
  void what_cannot_be_undone_ends_the_way_back() throws Exception {
    assertThatThrownBy(() -> get(chain(Chain.STUCK).onFailure(FailureStrategy.rollback()).submit()))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("the second one stays")
        .hasMessageContaining("; not everything that was done could be undone");
    assertThat(diary())
        .containsExactly("first", "second", "third", "undo second", "undo second", "undo second");
  }
}
