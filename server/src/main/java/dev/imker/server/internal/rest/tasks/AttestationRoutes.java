package dev.imker.server.internal.rest.tasks;

import dev.imker.model.AgentId;
import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSeal;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.StageIndex;
import dev.imker.server.commands.Await;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.jobs.JobRoutes;
import dev.imker.server.internal.rest.jobs.JobViews;
import dev.imker.server.internal.rest.nodes.NodeDirectory;
import dev.imker.server.internal.rest.nodes.NodeNames;
import dev.imker.server.live.AgentKeys;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.AttemptRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/v1/jobs/ID/attestations}: what the pool says of ended tasks, with what their nodes
 * have signed of it. Nothing is checked here: whoever asks does that, since it is this server whose
 * word is in question.
 */
public record AttestationRoutes(
    Reads reads, SchedulerLoop loop, Layouts layouts, NodeDirectory nodes) {
  private static final Set<TaskState> ENDED =
      Set.of(TaskState.DONE, TaskState.FAILED, TaskState.AUTO_BLOCKED);

  /** {@code next} is the number of the task where the following page begins. */
  public record Page(
      JobKind kind,
      List<String> stages,
      List<Key> keys,
      List<Task> tasks,
      @Nullable Integer next) {}

  /**
   * A key that signed, or may have.
   *
   * @param key Ed25519 (X.509, Base64) of the node
   */
  public record Key(String agent, String node, String key, boolean revoked, boolean past) {}

  /** What a task wrote: the bytes themselves (Base64) while few, otherwise the hash of a file. */
  public record Output(@Nullable String inline, @Nullable String sha256) {
    static Output of(CapturedOutput output) {
      return output.blob() == null
          ? new Output(Base64.getEncoder().encodeToString(output.inline()), null)
          : new Output(null, output.blob().sha256());
    }
  }

  /**
   * What the pool says of a task.
   *
   * @param stage position in the list of stages
   * @param incarnation of the lease, in hexadecimal digits
   * @param attestation Base64; empty if the node stands for nothing
   */
  public record Task(
      int number,
      String state,
      int stage,
      List<String> params,
      long token,
      String incarnation,
      int attempt,
      String agent,
      String node,
      String outcome,
      int exitCode,
      long startedMillis,
      long endedMillis,
      Output stdout,
      Output stderr,
      List<TaskView.Result> results,
      String attestation) {}

  public List<Endpoint> endpoints() {
    return List.of(Endpoint.get("/api/v1/jobs/{id}/attestations", Access.LOOK, this::list));
  }

  private void list(Exchange exchange) throws IOException, InterruptedException {
    JobId job = JobRoutes.jobId(exchange);
    JobSpec spec = reads.spec(job).orElseThrow(() -> JobViews.unknown(job));
    int from = (int) exchange.queryNumber("from", 1, 1, Integer.MAX_VALUE);
    int limit = (int) exchange.queryNumber("limit", 200, 1, 1_000);
    List<TaskRecord> rows = reads.tasks(new TaskQuery(job, ENDED, from - 1, limit, true));
    StageIndex stages = layouts.require(job);
    NodeNames names = nodes.names();
    List<Task> tasks = new ArrayList<>();
    Set<AgentId> agents = new HashSet<>();
    for (TaskRecord row : rows) {
      AttemptRecord last =
          row.last() != null ? row.last() : TaskRoutes.latest(reads.attempts(row.id()));
      AttemptReport report = last == null ? null : last.report();
      if (last != null && report != null) {
        agents.add(last.agent());
        tasks.add(task(row, last, report, stages, names));
      }
    }
    exchange.json(
        200,
        new Page(
            spec.kind(),
            spec.stages().stream().map(stage -> JobSeal.text(spec.kind(), stage)).toList(),
            Await.answer(loop.ask(pool -> keys(pool.agents().keys(), agents))),
            tasks,
            rows.size() == limit ? rows.getLast().id().index() + 2 : null));
  }

  private static List<Key> keys(AgentKeys keys, Set<AgentId> agents) {
    return keys.everOf(agents).stream()
        .map(
            entry ->
                new Key(
                    entry.agent(),
                    entry.node(),
                    entry.nodeKey(),
                    entry.revoked(),
                    keys.isPast(entry)))
        .toList();
  }

  private static Task task(
      TaskRecord row,
      AttemptRecord last,
      AttemptReport report,
      StageIndex stages,
      NodeNames names) {
    int index = row.id().index();
    return new Task(
        index + 1,
        row.state().name(),
        stages.numberOf(index),
        stages.params(index),
        last.token().value(),
        Long.toHexString(last.token().incarnation()),
        last.number(),
        last.agent().value(),
        names.of(last.node()),
        report.outcome().name(),
        report.exitCode(),
        report.startedMillis(),
        report.endedMillis(),
        Output.of(report.stdout()),
        Output.of(report.stderr()),
        TaskViews.results(report),
        Base64.getEncoder().encodeToString(report.attestation()));
  }
}
