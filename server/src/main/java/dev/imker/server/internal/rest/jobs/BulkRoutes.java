package dev.imker.server.internal.rest.jobs;

import dev.imker.model.InputException;
import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.BulkCommands;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.request.JobSpans;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.live.Removal;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** {@code /api/v1/bulk}: the same for all of the caller's work that a filter lets pass. */
public record BulkRoutes(JobCommands commands, BulkCommands bulk, Reads reads) {
  private static final int MAX_BYTES = 4 << 20;
  private static final int PAGE = 500;

  /**
   * The answer.
   *
   * @param jobs that had tasks to change
   * @param tasks that were changed; with dryRun, those that would be
   * @param kept jobs that could not be deleted because others wait for them
   */
  record Changed(int jobs, long tasks, int kept) {}

  /**
   * The answer with dryRun.
   *
   * @param among numbers of the jobs, to ask for just these
   */
  record Counted(int jobs, long tasks, int kept, String among) {
    static Counted of(Changed all, JobSpans among) {
      return new Counted(all.jobs, all.tasks, all.kept, among.toString());
    }
  }

  /** What became of one job. */
  private record Part(int tasks, boolean kept) {}

  /** What became of all. */
  private record Sum(JobSpans jobs, List<Part> parts) {
    Sum() {
      this(new JobSpans(), new ArrayList<>());
    }

    void add(List<Target> targets, List<Part> more) {
      parts.addAll(more);
      for (int i = 0; i < more.size() && more.size() == targets.size(); i++) {
        if (more.get(i).tasks > 0) {
          jobs.add(targets.get(i).job.id());
        }
      }
    }
  }

  /** The tasks of a job that are meant, by their indexes. */
  private record Target(JobRecord job, int from, int toExclusive) {
    static Target of(JobRecord job) {
      return new Target(job, 0, job.taskCount());
    }

    static Target of(JobRecord job, Selections.Part part) {
      return part.whole() ? of(job) : new Target(job, part.first() - 1, part.last());
    }

    boolean isWhole() {
      return from == 0 && toExclusive == job.taskCount();
    }
  }

  public List<Endpoint> endpoints() {
    return List.of(Endpoint.post("/api/v1/bulk", Access.WORK, this::change));
  }

  private void change(Exchange exchange) throws IOException, InterruptedException {
    JsonFields body =
        JsonFields.of(
            exchange.json(MAX_BYTES), "", Set.of("action", "filter", "priority", "set", "dryRun"));
    BulkOrder order = BulkOrder.read(body, exchange.identity().onlyUser());
    Sum sum = new Sum();
    if (order.select() == null) {
      toAll(order, sum);
    } else {
      applyTo(order, selected(order.select(), order, exchange), sum);
    }
    Changed all = changed(sum.parts);
    exchange.json(200, order.dryRun() ? Counted.of(all, sum.jobs) : all);
  }

  private void toAll(BulkOrder order, Sum sum) throws InterruptedException {
    JobId before = null;
    for (boolean more = !order.nothing(); more; ) {
      List<JobRecord> page = reads.jobs(order.filter(), before, PAGE);
      applyTo(order, page.stream().filter(order::isNamed).map(Target::of).toList(), sum);
      more = page.size() == PAGE;
      before = more ? page.getLast().id() : null;
    }
  }

  private void applyTo(BulkOrder order, List<Target> targets, Sum sum) throws InterruptedException {
    sum.add(targets, applyTo(order, targets));
  }

  private List<Target> selected(String selector, BulkOrder order, Exchange exchange) {
    List<Target> targets = new ArrayList<>();
    if (order.nothing()) {
      return targets;
    }
    for (Selections.Part part : selections(selector, exchange)) {
      if (!part.whole() && order.action() == BulkOrder.Action.DELETE) {
        throw ApiException.invalid("filter.select", "Only whole jobs can be deleted, not tasks.");
      }
      reads
          .job(new JobId(part.job()))
          .filter(order::passes)
          .ifPresent(job -> targets.add(Target.of(job, part)));
    }
    return targets;
  }

  private List<Selections.Part> selections(String selector, Exchange exchange) {
    try {
      return new Selections(reads, exchange.identity()).resolve(selector);
    } catch (InputException e) {
      throw ApiException.invalid("filter.select", String.valueOf(e.getMessage()));
    }
  }

  private static Changed changed(List<Part> parts) {
    int jobs = 0;
    long tasks = 0;
    int kept = 0;
    for (Part part : parts) {
      jobs += part.tasks > 0 ? 1 : 0;
      tasks += part.tasks;
      kept += part.kept ? 1 : 0;
    }
    return new Changed(jobs, tasks, kept);
  }

  private List<Part> applyTo(BulkOrder order, List<Target> targets) throws InterruptedException {
    JobCommands.Action action = order.action().ofTasks();
    if (order.dryRun()) {
      return all(targets.stream().map(target -> rehearsed(order, target)).toList());
    }
    if (action != null) {
      return all(
          targets.stream()
              .map(
                  target ->
                      part(
                          bulk.act(
                                  action,
                                  target.job.id(),
                                  order.states(),
                                  target.from,
                                  target.toExclusive)
                              .thenCompose(tasks -> withSpawned(order, target, tasks))))
              .toList());
    }
    List<Part> counts = all(targets.stream().map(target -> counted(order, target)).toList());
    List<CompletableFuture<Part>> answers = new ArrayList<>();
    for (int i = 0; i < targets.size(); i++) {
      if (counts.get(i).tasks > 0) {
        answers.add(changed(order, targets.get(i)));
      }
    }
    return all(answers);
  }

  /** Whoever cancels a whole job cancels what its tasks have spawned. */
  private CompletableFuture<Integer> withSpawned(BulkOrder order, Target target, int tasks) {
    return order.cancelsAll() && target.isWhole()
        ? commands.cancelSpawned(target.job.id()).thenApply(more -> tasks + more)
        : CompletableFuture.completedFuture(tasks);
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

  private CompletableFuture<Part> rehearsed(BulkOrder order, Target target) {
    return order.action() == BulkOrder.Action.DELETE
        ? commands.removal(target.job.id()).thenApply(removal -> removed(removal, target.job))
        : counted(order, target);
  }

  /** What a finished job has is on disk. */
  private CompletableFuture<Part> counted(BulkOrder order, Target target) {
    JobRecord job = target.job;
    if (!target.isWhole()) {
      return part(bulk.count(job.id(), order.states(), target.from, target.toExclusive));
    }
    if (!job.isSettled()) {
      return part(bulk.count(job.id(), order.states()));
    }
    int tasks = 0;
    for (TaskState state : order.states()) {
      tasks += job.countsByState()[state.ordinal()];
    }
    return CompletableFuture.completedFuture(new Part(tasks, false));
  }

  private CompletableFuture<Part> changed(BulkOrder order, Target target) {
    JobId job = target.job.id();
    JobChange change = order.change();
    if (change == null) {
      return commands.remove(job).thenApply(removal -> removed(removal, target.job));
    }
    return part(
        target.isWhole()
            ? change.apply(commands, job)
            : commands.limitTasks(job, change.of(target.from + 1, target.toExclusive)));
  }

  private static Part removed(Removal removal, JobRecord job) {
    return switch (removal) {
      case Removal.Removed gone -> new Part(job.taskCount(), false);
      case Removal.NotFinished open -> new Part(0, false);
      case Removal.NeededBy needed -> new Part(0, true);
    };
  }
}
