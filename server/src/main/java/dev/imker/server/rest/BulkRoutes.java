package dev.imker.server.rest;

import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.loop.BulkCommands;
import dev.imker.server.loop.JobCommands;
import dev.imker.server.loop.Removal;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** {@code /api/v1/bulk}: the same for all of the caller's work that a filter lets pass. */
final class BulkRoutes {
  private static final int MOST_BYTES = 100_000;
  private static final int PAGE = 500;

  /**
   * The answer.
   *
   * @param jobs that had tasks to change
   * @param tasks that were changed; with dryRun, those that would be
   * @param kept jobs that could not be deleted because others wait for them
   */
  record Changed(int jobs, long tasks, int kept) {}

  /** What became of one job. */
  private record Part(int tasks, boolean kept) {}

  private final JobCommands commands;
  private final BulkCommands bulk;
  private final Reads reads;

  BulkRoutes(JobCommands commands, BulkCommands bulk, Reads reads) {
    this.commands = commands;
    this.bulk = bulk;
    this.reads = reads;
  }

  List<Endpoint> endpoints() {
    return List.of(Endpoint.post("/api/v1/bulk", Access.WORK, this::change));
  }

  private void change(Exchange exchange) throws IOException, InterruptedException {
    JsonFields body =
        JsonFields.of(
            exchange.json(MOST_BYTES), "", Set.of("action", "filter", "priority", "set", "dryRun"));
    exchange.json(200, apply(BulkOrder.read(body, exchange.identity().onlyUser())));
  }

  private Changed apply(BulkOrder order) throws InterruptedException {
    int jobs = 0;
    long tasks = 0;
    int kept = 0;
    JobId before = null;
    for (boolean more = !order.nothing(); more; ) {
      List<JobRecord> page = reads.jobs(order.filter(), before, PAGE);
      for (Part part : applyTo(order, page)) {
        jobs += part.tasks > 0 ? 1 : 0;
        tasks += part.tasks;
        kept += part.kept ? 1 : 0;
      }
      more = page.size() == PAGE;
      before = more ? page.getLast().id() : null;
    }
    return new Changed(jobs, tasks, kept);
  }

  private List<Part> applyTo(BulkOrder order, List<JobRecord> page) throws InterruptedException {
    List<JobRecord> named = page.stream().filter(job -> order.name().test(job.name())).toList();
    JobCommands.Action action = order.action().ofTasks();
    if (order.dryRun()) {
      return all(named.stream().map(job -> counted(order, job)).toList());
    }
    if (action != null) {
      return all(
          named.stream().map(job -> part(bulk.act(action, job.id(), order.states()))).toList());
    }
    List<Part> counts = all(named.stream().map(job -> counted(order, job)).toList());
    List<CompletableFuture<Part>> answers = new ArrayList<>();
    for (int i = 0; i < named.size(); i++) {
      if (counts.get(i).tasks > 0) {
        answers.add(wholeJob(order, named.get(i)));
      }
    }
    return all(answers);
  }

  /** Orders are given together, so that they share a transaction. */
  private static List<Part> all(List<CompletableFuture<Part>> answers) throws InterruptedException {
    List<Part> parts = new ArrayList<>(answers.size());
    for (CompletableFuture<Part> answer : answers) {
      parts.add(Await.answer(answer));
    }
    return parts;
  }

  private static CompletableFuture<Part> part(CompletableFuture<Integer> tasks) {
    return tasks.thenApply(count -> new Part(count, false));
  }

  /** What a finished job has is on disk. */
  private CompletableFuture<Part> counted(BulkOrder order, JobRecord job) {
    if (!job.isSettled()) {
      return part(bulk.count(job.id(), order.states()));
    }
    int tasks = 0;
    for (TaskState state : order.states()) {
      tasks += job.countsByState()[state.ordinal()];
    }
    return CompletableFuture.completedFuture(new Part(tasks, false));
  }

  private CompletableFuture<Part> wholeJob(BulkOrder order, JobRecord job) {
    JobChange change = order.change();
    return change == null
        ? commands.remove(job.id()).thenApply(removal -> removed(removal, job))
        : part(change.apply(commands, job.id()));
  }

  private static Part removed(Removal removal, JobRecord job) {
    return switch (removal) {
      case Removal.Removed gone -> new Part(job.taskCount(), false);
      case Removal.NotFinished open -> new Part(0, false);
      case Removal.NeededBy needed -> new Part(0, true);
    };
  }
}
