package dev.imker.cli.submit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.follow.Follow;
import dev.imker.cli.follow.FollowOptions;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.jobfile.ActionFileReader;
import dev.imker.jobfile.JobFileWriter;
import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.findings.Finding;
import dev.imker.model.ImkerException;
import dev.imker.model.job.JobSpec;
import dev.imker.planner.PlanDag;
import dev.imker.planner.PlanResult;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Problem;
import dev.imker.server.plan.ActionTimes;
import dev.imker.server.plan.PlanOrder;
import dev.imker.server.plan.PlannedStages;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Carries out a plan: actions are commands, and the plan is a job. */
record PlanRun(
    String domainText,
    String problemText,
    Domain domain,
    Problem problem,
    ActionFileReader.Actions actions) {
  private static final long POLL_MILLIS = 200;

  /**
   * @param texts the files of domain and problem
   */
  static PlanRun read(Path bindings, List<Path> texts, Domain domain, Problem problem)
      throws IOException {
    Path folder = Objects.requireNonNull(bindings.toAbsolutePath().getParent());
    ActionFileReader.Actions actions =
        ActionFileReader.read(
            bindings.toString(),
            Files.readAllBytes(bindings),
            JobFiles.in(folder),
            PlannedStages.parameters(domain));
    return new PlanRun(text(texts.getFirst()), text(texts.getLast()), domain, problem, actions);
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  boolean isValid() {
    return actions.job() != null;
  }

  String findings() {
    return actions.findings().stream()
        .filter(Finding::isError)
        .map(Finding::toString)
        .collect(Collectors.joining("\n"));
  }

  /** How long actions take, by what the pool has seen, or by the file. */
  ActionTimes times(Optional<ApiClient> api) {
    Map<String, Double> known = new LinkedHashMap<>();
    api.map(
            pool ->
                pool.get(
                    "/api/v1/plans/times?domain="
                        + URLEncoder.encode(domain.name(), StandardCharsets.UTF_8)))
        .ifPresent(
            answer ->
                answer
                    .path("times")
                    .properties()
                    .forEach(entry -> known.put(entry.getKey(), entry.getValue().asDouble())));
    return new ActionTimes(known, actions.bindings());
  }

  private JobDraft draft() {
    return Objects.requireNonNull(actions.job());
  }

  private PlanOrder order(JobSpec job, PlanResult result) {
    return new PlanOrder(
        domainText,
        problemText,
        job,
        actions.bindings(),
        actions.replan(),
        actions.maxReplans(),
        result.steps().stream().flatMap(List::stream).map(PlannedAction::toString).toList());
  }

  /** The job that a plan becomes, without the files that are sent along. */
  String jobFile(PlanResult result) {
    PlanDag dag = PlanDag.of(domain, problem, result.steps());
    JobSpec template = draft().spec();
    return JobFileWriter.write(
        new PlannedStages(order(template, result), domain, dag, List.of(), List.of())
            .job(template.name()));
  }

  /** Submits the job, and follows it and those that take its place, if that is wanted. */
  int carryOut(
      ApiClient api,
      PlanResult result,
      FollowOptions following,
      PrintWriter out,
      PrintWriter err,
      boolean json) {
    JobSpec job = new JobSender(api).complete(List.of(draft())).getFirst();
    long id =
        api.post("/api/v1/plans/jobs", order(job, result), JobSender.key()).path("job").asLong();
    Follow follow = new Follow(api, out, err, json);
    while (true) {
      int exitCode = following.carryOut(follow, List.of(api.get("/api/v1/jobs/" + id)));
      JsonNode plan = following.waits() ? settled(api, id) : null;
      if (plan == null || plan.path("state").asText().equals("DONE")) {
        return exitCode;
      }
      long next = plan.path("next").asLong();
      if (next == 0) {
        err.println("imker: Giving up on the plan. " + plan.path("why").asText());
        return ExitCodes.FAILED;
      }
      id = next;
      JsonNode without = api.get("/api/v1/jobs/" + id + "/plan").path("without");
      err.println(
          "imker: job %d continues with another plan, without %s"
              .formatted(
                  id,
                  without.valueStream().map(JsonNode::asText).collect(Collectors.joining(", "))));
      err.flush();
    }
  }

  /** What the pool made of a job that has ended; it takes a moment to plan anew. */
  private static JsonNode settled(ApiClient api, long id) {
    while (true) {
      JsonNode plan = api.get("/api/v1/jobs/" + id + "/plan");
      if (!plan.path("state").asText().equals("RUNNING")) {
        return plan;
      }
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ImkerException("interrupted while waiting for a plan", e);
      }
    }
  }
}
