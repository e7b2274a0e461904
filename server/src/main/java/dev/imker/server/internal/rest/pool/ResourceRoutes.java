package dev.imker.server.internal.rest.pool;

import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import dev.imker.core.SchedulerView;
import dev.imker.core.message.AgentView;
import dev.imker.core.message.HeldAmounts;
import dev.imker.model.ProjectId;
import dev.imker.model.job.Requirements;
import dev.imker.model.validation.JobLimits;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.NodeCommands;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.http.Json;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.rest.nodes.Amount;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code /api/v1/resources}: what exists once for all machines, such as licences. */
public record ResourceRoutes(SchedulerLoop loop) {
  private static final int MAX_BYTES = 1000;

  /**
   * Something of which there is so much in the whole pool.
   *
   * @param usedBy who has how much of it; an admin sees all, others their own
   */
  public record Resource(
      String name,
      @JsonSerialize(using = Json.PlainNumber.class) double amount,
      @JsonSerialize(using = Json.PlainNumber.class) double used,
      List<Holder> usedBy) {}

  /** A project that has some of it. */
  public record Holder(
      String user,
      String project,
      int tasks,
      @JsonSerialize(using = Json.PlainNumber.class) double amount) {
    private Holder and(double more) {
      return new Holder(user, project, tasks + 1, amount + more);
    }
  }

  public record Resources(List<Resource> resources) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get(
            "/api/v1/resources",
            Access.LOOK,
            exchange -> exchange.json(200, all(exchange.identity()))),
        Endpoint.put("/api/v1/resources/{name}", Access.ADMIN, this::set),
        Endpoint.delete("/api/v1/resources/{name}", Access.ADMIN, this::remove));
  }

  private Resources all(Identity caller) throws InterruptedException {
    return Await.answer(loop.askAt((pool, nowMillis) -> look(pool, nowMillis, caller)));
  }

  private static Resources look(PoolState pool, long nowMillis, Identity caller) {
    SchedulerView view = pool.scheduler().view();
    Map<String, Amount> amounts = Amount.all(view.poolAmounts());
    Map<String, Map<ProjectId, Holder>> holders = new LinkedHashMap<>();
    if (!amounts.isEmpty()) {
      for (AgentView agent : view.agents()) {
        view.held(agent.agent(), nowMillis)
            .forEach(held -> count(pool, held, amounts.keySet(), holders));
      }
    }
    List<Resource> all = new ArrayList<>();
    amounts.forEach(
        (name, amount) ->
            all.add(
                new Resource(
                    name,
                    amount.has(),
                    amount.taken(),
                    holders.getOrDefault(name, Map.of()).values().stream()
                        .filter(holder -> caller.maySee(holder.user))
                        .sorted(Comparator.comparingDouble(Holder::amount).reversed())
                        .toList())));
    return new Resources(all);
  }

  private static void count(
      PoolState pool,
      HeldAmounts held,
      Set<String> names,
      Map<String, Map<ProjectId, Holder>> holders) {
    LiveJob job = pool.job(held.task().job());
    if (job == null) {
      return;
    }
    ProjectId project = new ProjectId(job.user(), job.spec().project());
    held.granted()
        .amounts()
        .forEach(
            (name, hundredths) -> {
              if (names.contains(name)) {
                double amount = (double) hundredths / Requirements.HUNDREDTHS;
                holders
                    .computeIfAbsent(name, _ -> new LinkedHashMap<>())
                    .compute(
                        project,
                        (_, before) ->
                            (before == null
                                    ? new Holder(project.user(), project.name(), 0, 0)
                                    : before)
                                .and(amount));
              }
            });
  }

  private void set(Exchange exchange) throws IOException, InterruptedException {
    String name = name(exchange);
    double amount = JsonFields.of(exchange.json(MAX_BYTES), "", Set.of("amount")).amount("amount");
    if (!(amount > 0) || amount > JobLimits.MAX_AMOUNT || !Requirements.isInHundredths(amount)) {
      throw ApiException.invalid(
          "amount",
          "amount must be a number from 0.01 to %,d in steps of 0.01."
              .formatted(JobLimits.MAX_AMOUNT));
    }
    Await.answer(new NodeCommands(loop).resource(name, amount));
    exchange.json(200, all(exchange.identity()));
  }

  private void remove(Exchange exchange) throws IOException, InterruptedException {
    String name = name(exchange);
    if (!Await.answer(new NodeCommands(loop).resource(name, 0))) {
      throw ApiException.notFound(
          "The pool has no resource '%s'; 'imker resources' lists all.".formatted(name));
    }
    exchange.empty(204);
  }

  private static String name(Exchange exchange) {
    String name = exchange.param("name");
    if (!Requirements.isResourceName(name)) {
      throw ApiException.invalid(
          "name",
          "'%s' is not a valid resource name: use up to 64 letters, digits, '-', '_' or '.', starting with a letter, and not cores, memory, disk or gpus."
              .formatted(name));
    }
    return name;
  }
}
