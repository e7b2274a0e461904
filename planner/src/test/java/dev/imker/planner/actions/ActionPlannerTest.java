package dev.imker.planner.actions;

import static dev.imker.planner.actions.Relation.relation;
import static dev.imker.planner.actions.Value.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.planner.PlanDag;
import dev.imker.planner.PlanLimits;
import dev.imker.planner.PlanStatus;
import dev.imker.planner.PlannedAction;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ActionPlannerTest {
  private static final PlanLimits LIMITS = PlanLimits.of(Duration.ofSeconds(30));

  private static ActionDescription makes(String name, String from, String to) {
    return ActionDescription.typed(name, List.of(from.split("\\+")), List.of(to), List.of());
  }

  /** From a user to suggestions in eleven tasks. */
  static ActionLibrary socialMedia() {
    return new ActionLibrary(
        List.of(
            makes("FacebookFriends", "UserId", "FacebookFriendList"),
            makes("GoogleCircles", "UserId", "GoogleCircleList"),
            makes("YoutubeSubscriptions", "UserId", "YoutubeSubscriptionList"),
            makes("SoundcloudSubscriptions", "UserId", "SoundcloudSubscriptionList"),
            makes(
                "MergeFriends",
                "FacebookFriendList+GoogleCircleList+YoutubeSubscriptionList+SoundcloudSubscriptionList",
                "FriendList"),
            makes("YoutubeWatched", "FriendList", "WatchedList"),
            makes("YoutubeRated", "FriendList", "YoutubeRatedList"),
            makes("SoundcloudHeard", "FriendList", "HeardList"),
            makes("SoundcloudRated", "FriendList", "SoundcloudRatedList"),
            makes(
                "FilterMedia",
                "WatchedList+YoutubeRatedList+HeardList+SoundcloudRatedList",
                "MediaList"),
            makes("Suggest", "MediaList", "Suggestions"),
            makes("Unrelated", "UserId", "Birthday")));
  }

  static ActionLibrary cargo() {
    return new ActionLibrary(
        List.of(
            ActionDescription.relational(
                "Load",
                List.of("Freight(f)", "Plane(p)", "Airport(a)"),
                List.of("At(f,a)", "At(p,a)"),
                List.of("In(f,p)"),
                List.of("At(f,a)")),
            ActionDescription.relational(
                "Unload",
                List.of("Freight(f)", "Plane(p)", "Airport(a)"),
                List.of("In(f,p)", "At(p,a)"),
                List.of("At(f,a)"),
                List.of("In(f,p)")),
            ActionDescription.relational(
                "Fly",
                List.of("Plane(p)", "Airport(from)", "Airport(to)"),
                List.of("Differs(from,to)", "At(p,from)"),
                List.of("At(p,to)"),
                List.of("At(p,from)"))));
  }

  private static PlanRequest twoFreights(String plane, String first, String second) {
    return new PlanRequest()
        .has(value("Plane", plane))
        .has(value("Airport", "a"))
        .has(value("Airport", "b"))
        .has(value("Freight", first))
        .has(value("Freight", second))
        .has(relation("At", plane, "a"))
        .has(relation("At", first, "a"))
        .has(relation("At", second, "a"))
        .wants(relation("At", first, "b"))
        .wants(relation("At", second, "b"));
  }

  @Test
  void suggestions_take_eleven_tasks_in_five_steps() {
    ActionPlan plan =
        new ActionPlanner(socialMedia(), 10)
            .plan(new PlanRequest().has("UserId").wants("Suggestions"), LIMITS);

    assertThat(plan.result().steps()).extracting(List::size).containsExactly(4, 1, 4, 1, 1);
    assertThat(plan.dag().actions())
        .hasSize(11)
        .extracting(PlannedAction::name)
        .doesNotContain("Unrelated");
    assertThat(plan.dag().edges())
        .hasSize(4 + 4 + 4 + 1)
        .allMatch(edge -> edge.reason() == PlanDag.Reason.PRODUCES);
  }

  @Test
  void a_value_makes_its_type_known() {
    ActionPlan plan =
        new ActionPlanner(socialMedia(), 10)
            .plan(
                new PlanRequest()
                    .has(value("UserId", "u1"))
                    .has(value("UserId", "u2"))
                    .wants("Birthday"),
                LIMITS);

    assertThat(plan.result().stepCount()).isEqualTo(1);
  }

  @Test
  void two_freights_fly_together() {
    ActionPlan plan = new ActionPlanner(cargo(), 10).plan(twoFreights("p", "f1", "f2"), LIMITS);

    assertThat(plan.result().steps()).extracting(List::size).containsExactly(2, 1, 2);
    assertThat(plan.result().steps().get(1)).hasToString("[(Fly p a b)]");
  }

  @Test
  void what_cannot_be_made_is_unsolvable() {
    ActionPlan plan =
        new ActionPlanner(socialMedia(), 10).plan(new PlanRequest().wants("Suggestions"), LIMITS);

    assertThat(plan.result().status()).isEqualTo(PlanStatus.UNSOLVABLE);
    assertThat(plan.result().unreachable()).containsExactly("(Suggestions)");
    assertThat(plan.result().missing()).containsExactly("(UserId)");
    assertThat(plan.dag().actions()).isEmpty();
  }

  @Test
  void a_request_of_the_same_shape_is_answered_from_memory() {
    ActionPlanner planner = new ActionPlanner(cargo(), 10);
    ActionPlan first = planner.plan(twoFreights("p", "f1", "f2"), LIMITS);

    ActionPlan same = planner.plan(twoFreights("p", "f1", "f2"), LIMITS);
    ActionPlan renamed =
        planner.plan(twoFreights("jumbo", "tulips", "roses"), LIMITS.orWhen(() -> true));

    assertThat(same).isSameAs(first);
    assertThat(renamed.result().status()).isEqualTo(PlanStatus.SOLVED);
    assertThat(renamed.result().steps().getFirst())
        .extracting(Object::toString)
        .containsExactlyInAnyOrder("(Load tulips jumbo a)", "(Load roses jumbo a)");
    assertThat(renamed.dag().edges())
        .extracting(PlanDag.Edge::literal)
        .contains("(In tulips jumbo)")
        .noneMatch(literal -> literal.contains("f1"));
  }

  @Test
  void a_timeout_is_not_remembered() {
    ActionPlanner planner = new ActionPlanner(cargo(), 10);

    assertThat(
            planner.plan(twoFreights("p", "f", "g"), LIMITS.orWhen(() -> true)).result().status())
        .isEqualTo(PlanStatus.TIMEOUT);
    assertThat(planner.plan(twoFreights("p", "f", "g"), LIMITS).result().status())
        .isEqualTo(PlanStatus.SOLVED);
  }

  @Test
  void the_oldest_plan_is_forgotten_when_the_memory_is_full() {
    ActionPlanner planner = new ActionPlanner(socialMedia(), 1);
    PlanRequest request = new PlanRequest().has("UserId").wants("FriendList");
    ActionPlan first = planner.plan(request, LIMITS);
    planner.plan(new PlanRequest().has("UserId").wants("Birthday"), LIMITS);

    assertThat(planner.plan(request, LIMITS)).isNotSameAs(first);
  }

  @Test
  void a_negated_condition_waits_for_the_opposite() {
    ActionLibrary library =
        new ActionLibrary(
            List.of(
                ActionDescription.relational(
                    "Enter", List.of(), List.of("!Locked"), List.of("Inside"), List.of()),
                ActionDescription.relational(
                    "Unlock", List.of(), List.of("Key"), List.of("Opened"), List.of("Locked"))));

    ActionPlan plan =
        new ActionPlanner(library, 1)
            .plan(new PlanRequest().has("Key").has("Locked").wants("Inside"), LIMITS);

    assertThat(plan.dag().actions()).hasToString("[(Unlock), (Enter)]");
    assertThat(plan.dag().edges().getFirst().literal()).isEqualTo("(not (Locked))");
  }

  @Test
  void mistakes_are_named() {
    assertThatThrownBy(
            () ->
                ActionDescription.relational(
                    "Move", List.of("File(f)"), List.of("In(f,x)"), List.of(), List.of()))
        .hasMessage("action Move: 'x' in In(f,x) is not a parameter");
    assertThatThrownBy(
            () ->
                ActionDescription.relational(
                    "Move", List.of("File f"), List.of(), List.of(), List.of()))
        .hasMessage(
            "action Move: expected a relation such as 'In(file,folder)' but found 'File f'");
    assertThatThrownBy(
            () ->
                new ActionPlanner(cargo(), 1)
                    .plan(new PlanRequest().wants(relation("At", "nobody", "a")), LIMITS))
        .hasMessage("'nobody' in At(nobody,a) is not the name of a value");
    assertThatThrownBy(
            () ->
                new ActionPlanner(cargo(), 1)
                    .plan(
                        new PlanRequest().has(value("Plane", "p")).wants(relation("At", "p")),
                        LIMITS))
        .hasMessage("At(p) has 1 terms here and 2 elsewhere");
  }
}
