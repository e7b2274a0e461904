package dev.imker.server.internal.rest.explain;

import dev.imker.core.Scheduler;
import dev.imker.core.message.AgentView;
import dev.imker.core.message.AmountView;
import dev.imker.core.message.HeldAmounts;
import dev.imker.core.message.NodeTerms;
import dev.imker.core.message.QueuePlace;
import dev.imker.core.message.ReservationView;
import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Stage;
import dev.imker.model.job.TaskLimits;
import dev.imker.server.commands.Await;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.data.CoordinationWaits;
import dev.imker.server.internal.rest.data.RefusedResults;
import dev.imker.server.internal.rest.explain.TaskExplanation.Reason;
import dev.imker.server.internal.rest.jobs.JobViews;
import dev.imker.server.internal.rest.nodes.NodeDirectory;
import dev.imker.server.internal.rest.nodes.NodeNames;
import dev.imker.server.internal.rest.nodes.NodeRoutes;
import dev.imker.server.internal.rest.nodes.NodeView;
import dev.imker.server.internal.rest.nodes.ProfileView;
import dev.imker.server.internal.rest.pool.ProjectFigures;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.server.internal.rest.tasks.TaskRoutes;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.AttemptRecord;
import dev.imker.store.NodeRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Explains the state of a task, and what a node would get.
 *
 * @param limits what single tasks of a job have of their own
 */
public record ExplainRoutes(
    SchedulerLoop loop,
    Reads reads,
    NodeDirectory directory,
    NodeRoutes nodes,
    Function<JobId, List<TaskLimits>> limits,
    RefusedResults refused,
    CoordinationWaits waits) {
  /** Free agents whose explanation is asked for. */
  private static final int MAX_FREE_AGENTS = 3;

  /** Machines of which it is told who has what. */
  private static final int MAX_LACKING = 5;

  /** The live side of an answer, all of one moment. */
  private record Live(
      @Nullable TaskState state,
      @Nullable QueuePlace place,
      String strategy,
      List<AgentView> agents,
      Map<AgentId, String> explanations,
      int readyOfAll,
      int slotQuota,
      int busySlots,
      FittingNodes.Wanted wanted,
      List<String> lacking,
      List<PastDecision> decisions,
      long nowMillis) {
    boolean isQuotaReached() {
      return busySlots >= slotQuota;
    }
  }

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/tasks/{task}/explain", Access.LOOK, this::task),
        Endpoint.get("/api/v1/nodes/{node}/explain", Access.ADMIN, this::node));
  }

  // ---------------------------------------------------------------- tasks

  private void task(Exchange exchange) throws IOException, InterruptedException {
    TaskId id = TaskRoutes.taskId(exchange);
    TaskRoutes.requireTask(reads, id);
    JobSpec spec = reads.spec(id.job()).orElseThrow(() -> JobViews.unknown(id.job()));
    Stage stage =
        pinned(spec.stageOf(id.index()), TaskLimits.of(limits.apply(id.job()), id.index()));
    List<NodeRecord> known = directory.nodes();
    List<AttemptRecord> attempts = reads.attempts(id);
    NodeNames names = directory.names();
    Live live =
        Await.answer(
            loop.askAt(
                (pool, nowMillis) ->
                    look(pool, nowMillis, id, spec, stage, attempts, names, known)));
    TaskRecord task = reads.task(id).orElse(null);
    TaskState state =
        live.state != null ? live.state : task == null ? TaskState.READY : task.state();
    TaskStory story = new TaskStory(stage, task, reads.attempts(id), directory.names());
    List<String> lines = new ArrayList<>();
    lines.add("Task " + id + " is " + state + ".");
    lines.addAll(story.tell(id.toString(), state));
    if (state == TaskState.RUNNING) {
      lines.addAll(frozen(live, id));
      waits.of(id).ifPresent(lines::add);
      refused
          .of(id)
          .ifPresent(
              why ->
                  lines.add(
                      "It has ended, but its results cannot be uploaded: "
                          + why
                          + " Its agent keeps trying."));
    }
    live.decisions.forEach(decision -> lines.addAll(decision.inWords(id)));
    if (live.decisions.isEmpty() && !attempts.isEmpty()) {
      lines.add(
          "Why it went there is no longer known: decisions are kept for a day, less in"
              + " busy pools, and until the server stops.");
    }
    if (state == TaskState.READY) {
      exchange.json(200, ready(id, stage, live, known, lines));
    } else {
      exchange.json(
          200,
          new TaskExplanation(
              id.toString(),
              state.name(),
              Reason.valueOf(state.name()),
              String.join("\n", lines),
              live.strategy,
              null,
              List.of(),
              live.decisions));
    }
  }

  /** Why it makes no progress although it is RUNNING. */
  private List<String> frozen(Live live, TaskId id) {
    List<String> lines = new ArrayList<>();
    for (AttemptRecord attempt : reads.attempts(id)) {
      if (attempt.report() == null) {
        live.agents.stream()
            .filter(agent -> agent.agent().equals(attempt.agent()))
            .flatMap(agent -> frozen(agent).stream())
            .forEach(lines::add);
      }
    }
    return lines;
  }

  private static Optional<String> frozen(AgentView agent) {
    NodeTerms.Order paused = agent.terms().paused();
    String why =
        paused != null
            ? TermsInWords.rest(agent.terms()).orElse("")
            : agent.pause().isEmpty() ? "" : "is paused: " + agent.pause();
    return why.isEmpty()
        ? Optional.empty()
        : Optional.of("It is paused there: %s %s.".formatted(agent.name(), why));
  }

  private static Stage pinned(Stage stage, @Nullable TaskLimits own) {
    return own == null || own.pin() == null
        ? stage
        : stage.withRules(stage.rules().withPin(own.pin()));
  }

  private static Live look(
      PoolState pool,
      long nowMillis,
      TaskId id,
      JobSpec spec,
      Stage stage,
      List<AttemptRecord> attempts,
      NodeNames names,
      List<NodeRecord> known) {
    int attempt = attempts.size() + 1;
    Scheduler scheduler = pool.scheduler();
    LiveJob job = pool.job(id.job());
    TaskState state = job == null ? null : scheduler.view().state(id);
    List<AgentView> agents = scheduler.view().agents();
    FittingNodes.Wanted wanted =
        new FittingNodes.Wanted(
            stage,
            new ProjectId(job == null ? "" : job.user(), spec.project()),
            spec.kind(),
            agents.stream()
                .map(AgentView::agent)
                .filter(agent -> scheduler.view().isUnfit(id, agent, nowMillis))
                .collect(Collectors.toSet()),
            pool.resources().all());
    Map<AgentId, String> explanations = new LinkedHashMap<>();
    List<String> lacking = new ArrayList<>();
    if (state == TaskState.READY) {
      Map<NodeId, SortedMap<String, AmountView>> amounts = scheduler.view().amounts();
      SortedMap<String, AmountView> shared = scheduler.view().poolAmounts();
      for (AgentView agent : new FittingNodes(wanted, known, agents).fitting()) {
        LackingAmounts machine =
            new LackingAmounts(
                agent.name(),
                amounts.getOrDefault(agent.node(), new TreeMap<>()),
                shared,
                () -> held(scheduler, agents, agent, stage, nowMillis),
                nowMillis);
        boolean fits = machine.isNone(stage.needs(), attempt);
        if (!fits && lacking.size() < MAX_LACKING) {
          List<String> lack = machine.of(stage.needs(), attempt);
          lacking.add("  %s: %s".formatted(agent.name(), String.join("; or ", lack)));
        } else if (fits && FittingNodes.free(agent) > 0 && explanations.size() < MAX_FREE_AGENTS) {
          explanations.put(agent.agent(), scheduler.explain(nowMillis, agent.agent()));
        }
      }
      for (ReservationView kept : scheduler.view().reservations(nowMillis)) {
        agents.stream()
            .filter(agent -> agent.node().equals(kept.node()))
            .findFirst()
            .ifPresent(
                agent -> lacking.add(LackingAmounts.kept(agent.name(), kept, id, nowMillis)));
      }
    }
    return new Live(
        state,
        scheduler.view().place(id),
        pool.strategy(),
        agents,
        explanations,
        scheduler.view().ready(),
        scheduler.view().slotQuota(wanted.project().user()),
        scheduler.view().busySlots(wanted.project().user()),
        wanted,
        lacking,
        PastDecision.of(scheduler.view(), id, attempts, names, nowMillis),
        nowMillis);
  }

  /** Who has what of the agent's node; and of the pool, if the task asks for that. */
  private static List<HeldAmounts> held(
      Scheduler scheduler, List<AgentView> agents, AgentView machine, Stage stage, long nowMillis) {
    Set<String> shared = scheduler.view().poolAmounts().keySet();
    boolean ofPool =
        stage.needs().alternatives().stream()
            .anyMatch(need -> need.resources().keySet().stream().anyMatch(shared::contains));
    return agents.stream()
        .filter(agent -> ofPool || agent.node().equals(machine.node()))
        .flatMap(
            agent ->
                scheduler.view().held(agent.agent(), nowMillis).stream()
                    .map(held -> ofNode(held, agent.node().equals(machine.node()), shared)))
        .toList();
  }

  /** Without what is another machine's. */
  private static HeldAmounts ofNode(HeldAmounts held, boolean same, Set<String> shared) {
    if (same) {
      return held;
    }
    SortedMap<String, Long> amounts = new TreeMap<>(held.granted().amounts());
    amounts.keySet().retainAll(shared);
    return new HeldAmounts(
        held.task(), new Granted(0, amounts, new TreeMap<>()), held.expectedEndMillis());
  }

  private TaskExplanation ready(
      TaskId id, Stage stage, Live live, List<NodeRecord> known, List<String> lines) {
    FittingNodes fitting = new FittingNodes(live.wanted, known, live.agents);
    long start = stage.rules().startMillis();
    Reason reason = start > live.nowMillis ? Reason.TOO_EARLY : reason(fitting, live);
    if (reason == Reason.TOO_EARLY) {
      lines.add("It must not start before " + Times.iso(start) + ".");
    }
    if (stage.rules().gang() && stage.taskCount() > 1) {
      lines.add(
          "The %,d tasks of its stage start together, once there are free slots for all of them."
              .formatted(stage.taskCount()));
    }
    if (stage.rules().atMost() > 0) {
      lines.add(
          "At most %,d %s of its stage may run at once."
              .formatted(stage.rules().atMost(), stage.rules().atMost() == 1 ? "task" : "tasks"));
    }
    lines.addAll(inWords(reason, fitting, live));
    QueuePlace place = live.place;
    return new TaskExplanation(
        id.toString(),
        TaskState.READY.name(),
        reason,
        String.join("\n", lines),
        live.strategy,
        place == null
            ? null
            : new TaskExplanation.Ahead(
                place.priority(), place.higherPriority(), place.samePriority()),
        fitting.classes(),
        live.decisions);
  }

  private static Reason reason(FittingNodes fitting, Live live) {
    if (fitting.isEmpty()) {
      return Reason.NO_NODE;
    }
    if (fitting.fitting().isEmpty()) {
      return Reason.NO_NODE_FITS;
    }
    if (live.isQuotaReached()) {
      return Reason.SLOT_QUOTA;
    }
    if (!live.explanations.isEmpty()) {
      return Reason.NEXT;
    }
    boolean plain = live.wanted.stage().needs().equals(Requirements.ANY);
    boolean slots = fitting.fitting().stream().anyMatch(agent -> FittingNodes.free(agent) > 0);
    return live.lacking.isEmpty() || (plain && !slots) ? Reason.SLOTS_BUSY : Reason.AMOUNTS_TAKEN;
  }

  private List<String> inWords(Reason reason, FittingNodes fitting, Live live) {
    List<String> lines = new ArrayList<>();
    switch (reason) {
      case TOO_EARLY -> lines.add("Then these machines matter:");
      case NO_NODE ->
          lines.add("No machine is connected. Add one with 'imker agent --join TOKEN'.");
      case NO_NODE_FITS -> lines.add("No connected machine can run it:");
      case SLOT_QUOTA ->
          lines.add(
              "%s may use %d %s at once and uses %d: it starts when another task of %s ends."
                  .formatted(
                      live.wanted.project().user(),
                      live.slotQuota,
                      live.slotQuota == 1 ? "slot" : "slots",
                      live.busySlots,
                      live.wanted.project().user()));
      case SLOTS_BUSY -> lines.add("All slots that could run it are busy.");
      case AMOUNTS_TAKEN -> lines.add("What it needs is in use at the moment:");
      default -> lines.add("There are free slots for it; the strategy decides who gets them:");
    }
    if (reason == Reason.AMOUNTS_TAKEN || reason == Reason.NEXT) {
      lines.addAll(live.lacking);
    }
    for (TaskExplanation.NodeClass nodes : fitting.classes()) {
      if (reason != Reason.AMOUNTS_TAKEN || !nodes.unmet().isEmpty()) {
        lines.add(inWords(nodes));
      }
    }
    if (reason != Reason.SLOT_QUOTA) {
      live.explanations.forEach(
          (agent, text) -> lines.add("  " + directory.names().of(agent) + ": " + text));
    }
    QueuePlace place = live.place;
    if (place != null && reason != Reason.NO_NODE_FITS) {
      lines.add(inWords(place, live));
    }
    return lines;
  }

  private static String inWords(TaskExplanation.NodeClass nodes) {
    String who =
        nodes.nodes() == 1
            ? "  " + nodes.example()
            : "  %d machines such as %s".formatted(nodes.nodes(), nodes.example());
    return nodes.unmet().isEmpty()
        ? "%s: fits, %d of %d slots free".formatted(who, nodes.free(), nodes.slots())
        : who + ": " + String.join("; or ", nodes.unmet());
  }

  private static String inWords(QueuePlace place, Live live) {
    int ahead = place.higherPriority() + place.samePriority();
    int others = live.readyOfAll - ahead - 1;
    String line =
        ahead == 0
            ? "It is the first of its project (priority %d).".formatted(place.priority())
            : "%d tasks of its project come first: %d of a higher priority, %d older ones of the same priority %d."
                .formatted(ahead, place.higherPriority(), place.samePriority(), place.priority());
    return line
        + " %d other tasks are ready; between projects '%s' decides."
            .formatted(Math.max(0, others), live.strategy);
  }

  // ---------------------------------------------------------------- nodes

  private void node(Exchange exchange) throws IOException, InterruptedException {
    NodeView node = nodes.find(exchange.param("node"));
    NodeExplanation explanation =
        Await.answer(loop.askAt((pool, nowMillis) -> explain(pool, nowMillis, node)));
    exchange.json(200, explanation);
  }

  private static NodeExplanation explain(PoolState pool, long nowMillis, NodeView node) {
    Scheduler scheduler = pool.scheduler();
    NodeTerms terms = pool.agents().terms().of(new NodeId(node.id()));
    List<NodeExplanation.Agent> agents =
        node.agents().stream().map(agent -> explain(scheduler, nowMillis, terms, agent)).toList();
    List<ProjectFigures> projects =
        ProjectFigures.all(scheduler.profiles()).stream().filter(p -> p.ready() > 0).toList();
    List<String> lines = new ArrayList<>();
    lines.add("%s: strategy %s".formatted(node.name(), pool.strategy()));
    agents.forEach(
        agent ->
            lines.add(
                "agent %s, %d of %d slots busy: %s"
                    .formatted(agent.name(), agent.running(), agent.slots(), agent.explanation())));
    node.agents().stream()
        .filter(agent -> agent.sandbox().startsWith("off"))
        .forEach(
            agent -> lines.add("agent %s: sandbox %s".formatted(agent.name(), agent.sandbox())));
    if (terms.restriction() != null) {
      lines.add(TermsInWords.all(terms.restriction()));
    }
    ProfileView profile = node.profile();
    if (profile != null) {
      lines.add("recorded: " + profile.inWords());
    }
    projects.forEach(project -> lines.add("project " + project.inWords()));
    return new NodeExplanation(
        node.id(),
        node.name(),
        pool.strategy(),
        String.join("\n", lines),
        profile,
        agents,
        projects);
  }

  private static NodeExplanation.Agent explain(
      Scheduler scheduler, long nowMillis, NodeTerms terms, NodeView.Agent agent) {
    return new NodeExplanation.Agent(
        agent.id(),
        agent.name(),
        agent.connected(),
        agent.draining(),
        agent.slots(),
        agent.running(),
        explanation(scheduler, nowMillis, terms, agent));
  }

  private static String explanation(
      Scheduler scheduler, long nowMillis, NodeTerms terms, NodeView.Agent agent) {
    if (!agent.connected()) {
      return "It is disconnected and gets no tasks.";
    }
    Optional<String> rest = TermsInWords.rest(terms);
    if (rest.isPresent()) {
      return "It " + rest.get() + ".";
    }
    if (agent.draining()) {
      return "It is draining and gets no more tasks.";
    }
    if (!agent.pause().isEmpty()) {
      return "It is paused and gets no more tasks: " + agent.pause();
    }
    String next = scheduler.explain(nowMillis, new AgentId(agent.id()));
    return agent.running() < agent.slots() ? next : "No slot is free; for the next one: " + next;
  }
}
