package dev.imker.server.internal.rest.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.planner.GraphReport;
import dev.imker.planner.PlanDag;
import dev.imker.planner.PlanLimits;
import dev.imker.planner.PlanResult;
import dev.imker.planner.PlanStatus;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.Planner;
import dev.imker.planner.actions.ActionDescription;
import dev.imker.planner.actions.ActionLibrary;
import dev.imker.planner.actions.PlanRequest;
import dev.imker.planner.actions.Relation;
import dev.imker.planner.actions.Value;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.PddlException;
import dev.imker.planner.pddl.Problem;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.plan.PlanMemory;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/plans}: from what is known to what is wanted. */
public record PlannerRoutes(PlannedJobs jobs) {
  private static final int MAX_BODY_BYTES = 1 << 20;
  private static final int MAX_ACTIONS = 1_000;
  private static final int MAX_WORDS = 200;
  private static final int MAX_SECONDS = 20;
  private static final int MAX_LEVELS = 60;
  private static final int MAX_LISTED = 300;

  /** The method of a plan that was found before. */
  private static final String KEPT = "kept from before";

  /**
   * A plan, and the graph it was found in.
   *
   * @param why there is no plan, in words; empty if nothing is known of that
   * @param unreachable parts of the goal
   * @param missing facts that no action makes
   * @param graph null if the time was over before
   */
  public record PlanView(
      String status,
      long millis,
      String method,
      String why,
      List<String> unreachable,
      List<String> missing,
      List<List<String>> steps,
      List<Edge> edges,
      @Nullable GraphView graph) {}

  /** An action waits for another; both by their position in the plan. */
  record Edge(int from, int to, boolean produces, String literal) {}

  record GraphView(List<Level> levels, boolean levelledOff, boolean goalPossible) {}

  /** What is new at a level, shortened, and how much there is in all. */
  record Level(
      int number,
      List<String> newPropositions,
      List<String> newActions,
      int propositions,
      int actions,
      int mutexes,
      List<String> excluding) {}

  private record Task(Domain domain, Problem problem) {}

  Endpoint endpoint() {
    return Endpoint.post("/api/v1/plans", Access.WORK, this::plan);
  }

  private void plan(Exchange exchange) throws IOException, InterruptedException {
    JsonNode asked = exchange.json(MAX_BODY_BYTES);
    JsonFields body =
        JsonFields.of(asked, "", Set.of("domain", "problem", "actions", "has", "wants", "seconds"));
    long seconds = body.number("seconds", MAX_SECONDS, 1, MAX_SECONDS);
    Task task = body.has("domain") ? pddl(body) : hasAndWants(body);
    PlanLimits limits = PlanLimits.of(Duration.ofSeconds(seconds)).orWhen(exchange::isGone);
    exchange.json(
        200,
        jobs.turns()
            .run(
                exchange.identity().user(),
                () -> view(task, result(task, question(asked), limits), limits)));
  }

  /** How long to look for it makes no other plan of it. */
  private static String question(JsonNode asked) {
    return PlanMemory.key(
        asked.properties().stream()
            .filter(field -> !field.getKey().equals("seconds"))
            .map(field -> field.getKey() + "=" + field.getValue())
            .sorted()
            .toList());
  }

  private PlanResult result(Task task, String question, PlanLimits limits) {
    Optional<List<List<PlannedAction>>> kept =
        jobs.memory().find(question, task.domain, task.problem);
    if (kept.isPresent()) {
      return new PlanResult(
          PlanStatus.SOLVED, kept.get(), 0, 0, KEPT, List.of(), List.of(), 0, true);
    }
    PlanResult fresh = Planner.plan(task.domain, task.problem, limits);
    if (fresh.status() == PlanStatus.SOLVED) {
      jobs.memory().keep(question, fresh.steps());
    }
    return fresh;
  }

  private static PlanView view(Task task, PlanResult result, PlanLimits bounded) {
    boolean solved = result.status() == PlanStatus.SOLVED;
    PlanDag dag =
        solved
            ? PlanDag.of(task.domain, task.problem, result.steps())
            : new PlanDag(List.of(), List.of());
    return new PlanView(
        result.status().label(),
        result.millis(),
        result.method(),
        result.why(),
        result.unreachable(),
        result.missing(),
        result.steps().stream().map(s -> s.stream().map(PlannedAction::toString).toList()).toList(),
        dag.edges().stream()
            .map(
                e -> new Edge(e.from(), e.to(), e.reason() == PlanDag.Reason.PRODUCES, e.literal()))
            .toList(),
        graph(task, bounded));
  }

  private static @Nullable GraphView graph(Task task, PlanLimits limits) {
    try {
      GraphReport report = Planner.graph(task.domain, task.problem, MAX_LEVELS, limits);
      return new GraphView(
          report.levels().stream().map(PlannerRoutes::level).toList(),
          report.levelledOff(),
          report.goalPossible());
    } catch (CancellationException e) {
      return null;
    }
  }

  private static Level level(GraphReport.Level level) {
    return new Level(
        level.number(),
        level.newPropositions().stream().limit(MAX_LISTED).toList(),
        level.newActions().stream().limit(MAX_LISTED).toList(),
        level.propositions(),
        level.actions(),
        level.mutexes(),
        level.excluding());
  }

  // ---------------------------------------------------------------- reading

  private static Task pddl(JsonFields body) {
    String field = "domain";
    try {
      Domain domain = Pddl.domain(body.text("domain"));
      field = "problem";
      return new Task(domain, Pddl.problem(body.text("problem"), domain));
    } catch (PddlException e) {
      throw ApiException.invalid(field, "The " + field + ", " + e.getMessage() + ".");
    }
  }

  private static Task hasAndWants(JsonFields body) {
    try {
      List<ActionDescription> actions = body.list("actions", MAX_ACTIONS, PlannerRoutes::action);
      PlanRequest request = new PlanRequest();
      for (String text : words(body, "has")) {
        Relation relation = Relation.parse(text);
        if (isValue(relation, actions)) {
          request.has(new Value(relation.name(), relation.terms().getFirst()));
        } else {
          request.has(relation);
        }
      }
      words(body, "wants").forEach(text -> request.wants(Relation.parse(text)));
      ActionLibrary.PlanningTask task = new ActionLibrary(actions).pose(request);
      return new Task(task.domain(), task.problem());
    } catch (IllegalArgumentException e) {
      throw ApiException.invalid("actions", e.getMessage() + ".");
    }
  }

  /** {@code File(d)} is a value where actions take files. */
  private static boolean isValue(Relation relation, List<ActionDescription> actions) {
    return relation.terms().size() == 1
        && actions.stream()
            .flatMap(action -> action.parameters().stream())
            .anyMatch(parameter -> parameter.type().equals(relation.name()));
  }

  private static ActionDescription action(JsonNode node, String where) {
    JsonFields action =
        JsonFields.of(node, where, Set.of("name", "parameters", "needs", "makes", "takes"));
    return ActionDescription.relational(
        action.text("name"),
        words(action, "parameters"),
        words(action, "needs"),
        words(action, "makes"),
        words(action, "takes"));
  }

  private static List<String> words(JsonFields fields, String name) {
    return fields.texts(name, MAX_WORDS);
  }
}
