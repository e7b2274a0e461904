package dev.imker.server.internal.rest.failures;

import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.StageIndex;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.jobs.JobRoutes;
import dev.imker.server.internal.rest.jobs.JobViews;
import dev.imker.server.internal.rest.nodes.NodeDirectory;
import dev.imker.server.internal.rest.nodes.NodeNames;
import dev.imker.server.internal.rest.request.KeptAnswers;
import dev.imker.server.internal.rest.tasks.Layouts;
import dev.imker.store.AttemptRecord;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** {@code /api/v1/jobs/ID/failures}. */
public record FailureRoutes(
    Reads reads, BlobStore blobs, Layouts layouts, NodeDirectory nodes, KeptAnswers answers) {
  /** A job, and when it ended; 0 while it has not. */
  private record Question(JobId job, long settledMillis) {}

  private static final Set<TaskState> BAD = EnumSet.of(TaskState.FAILED, TaskState.AUTO_BLOCKED);
  private static final int MAX_LOOKED = 2_000;
  private static final int PAGE = 500;

  public List<Endpoint> endpoints() {
    return List.of(Endpoint.get("/api/v1/jobs/{id}/failures", Access.LOOK, this::failures));
  }

  private void failures(Exchange exchange) throws IOException, InterruptedException {
    JobId id = JobRoutes.jobId(exchange);
    JobRecord job = reads.job(id).orElseThrow(() -> JobViews.unknown(id));
    exchange.json(
        200,
        answers.answer(
            new Question(id, job.isSettled() ? job.settledMillis() : 0),
            FailuresView.class,
            () -> find(job)));
  }

  private FailuresView find(JobRecord job) throws IOException, InterruptedException {
    StageIndex stages = layouts.require(job.id());
    NodeNames names = nodes.names();
    FailureGroups groups = new FailureGroups(job.id(), stages);
    int looked = group(job, groups, names);
    Contrast contrast = new Contrast(stages);
    int[] counts = new int[2];
    if (looked > 0) {
      // First those that failed: of the others, only what is like them has to be counted.
      reads.forEachAttempt(
          job.id(),
          (index, state, node, started, ended) -> {
            if (state != null && BAD.contains(state)) {
              counts[node.isEmpty() ? 1 : 0]++;
              if (!node.isEmpty()) {
                contrast.addFailed(index, names.of(new NodeId(node)));
              }
            }
          });
      reads.forEachAttempt(
          job.id(),
          (index, state, node, started, ended) -> {
            if (state == TaskState.DONE && !node.isEmpty()) {
              contrast.addDone(index, names.of(new NodeId(node)));
            }
          });
    }
    return new FailuresView(counts[0], counts[1], looked, groups.all(), contrast.differences());
  }

  /** Looks at failed tasks in their order; tells at how many. */
  private int group(JobRecord job, FailureGroups groups, NodeNames names) throws IOException {
    int looked = 0;
    int from = 0;
    while (looked < MAX_LOOKED) {
      List<TaskRecord> page = reads.tasks(new TaskQuery(job.id(), BAD, from, PAGE, true));
      for (TaskRecord task : page) {
        AttemptRecord last = task.last();
        if (last != null) {
          groups.add(failed(task, last, names));
          looked++;
        }
        from = task.id().index() + 1;
      }
      if (page.size() < PAGE) {
        break;
      }
    }
    return looked;
  }

  private FailureGroups.Failed failed(TaskRecord task, AttemptRecord last, NodeNames names)
      throws IOException {
    AttemptReport report = last.report();
    String line = report == null ? "" : LastLine.of(report.stderr(), blobs::open);
    String reason = report == null || !task.reason().isEmpty() ? task.reason() : report.error();
    return new FailureGroups.Failed(
        task.id().index(),
        line.isEmpty() ? reason : line,
        !line.isEmpty(),
        report == null || report.startedMillis() == 0 ? null : report.exitCode(),
        names.of(last.node()));
  }
}
