package dev.imker.server.internal.rest.jobs;

import dev.imker.model.InputException;
import dev.imker.model.JobId;
import dev.imker.model.Selector;
import dev.imker.model.job.TaskIdentifier;
import dev.imker.model.text.NearNames;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Identity;
import dev.imker.store.JobFilter;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Resolves a selector among the jobs that a caller may see. */
final class Selections {
  private static final int MAX_JOBS = 10_000;
  private static final int PAGE = 1000;
  private static final int NAMES_LOOKED_AT = 500;
  private static final int NAMES_OFFERED = 3;

  /** Jobs whose text has an identifier in it, if only as another word. */
  private static final int MAX_LOOKED_INTO = 20;

  /**
   * Tasks first..last of a job, both included.
   *
   * @param whole whether the job itself was named, and not its tasks one by one
   */
  record Part(long job, String name, int tasks, int first, int last, boolean whole) {}

  /** A job that can be meant. */
  record Known(JobId id, String name, int taskCount) {
    static Known of(JobRecord job) {
      return new Known(job.id(), job.name(), job.taskCount());
    }
  }

  private final Reads reads;
  private final Identity caller;
  private final List<Known> coming;
  private final @Nullable String only;
  private final JobFilter filter;

  Selections(Reads reads, Identity caller) {
    this(reads, caller, List.of());
  }

  /**
   * @param coming jobs of the caller that are about to be submitted: the newest ones, the last last
   */
  Selections(Reads reads, Identity caller, List<Known> coming) {
    this.coming = coming;
    this.reads = reads;
    this.caller = caller;
    only = caller.onlyUser();
    filter = only == null ? JobFilter.ALL : JobFilter.ALL.withUser(only);
  }

  private Optional<Known> newestByName(String name) {
    Optional<Known> soon = coming.reversed().stream().filter(j -> j.name.equals(name)).findFirst();
    if (soon.isPresent()) {
      return soon;
    }
    Optional<JobRecord> own = reads.newestByName(name, caller.user());
    return (own.isEmpty() && only == null ? reads.newestByName(name) : own).map(Known::of);
  }

  List<Part> resolve(Selector.Part part) {
    if (part.text().startsWith(TaskIdentifier.MARK)) {
      return identified(part.text().substring(TaskIdentifier.MARK.length()));
    }
    Optional<Known> whole = part.isWholeJob() ? Optional.empty() : newestByName(part.text());
    if (whole.isPresent()) {
      return List.of(part(whole.get(), 1, Selector.ALL_TASKS));
    }
    return switch (part.jobs()) {
      case Selector.Last last -> List.of(part(newest(), part.firstTask(), part.lastTask()));
      case Selector.Named named ->
          List.of(part(named(named.name()), part.firstTask(), part.lastTask()));
      case Selector.Ids ids when ids.first().equals(ids.last()) ->
          List.of(part(Known.of(require(ids.first())), part.firstTask(), part.lastTask()));
      case Selector.Ids ids -> range(ids);
    };
  }

  /** Tasks of the newest job that have an identifier: the caller's own, or of whom he may see. */
  private List<Part> identified(String name) {
    List<JobRecord> own =
        reads.specifiedWith(TaskIdentifier.PARAM, name, caller.user(), MAX_LOOKED_INTO);
    List<JobRecord> candidates =
        own.isEmpty() && only == null
            ? reads.specifiedWith(TaskIdentifier.PARAM, name, null, MAX_LOOKED_INTO)
            : own;
    for (JobRecord job : candidates) {
      List<Part> found =
          reads.spec(job.id()).stream()
              .flatMap(spec -> TaskIdentifier.find(spec, name).stream())
              .map(
                  index ->
                      new Part(
                          job.id().value(),
                          job.name(),
                          job.taskCount(),
                          index + 1,
                          index + 1,
                          false))
              .toList();
      if (!found.isEmpty()) {
        return found;
      }
    }
    throw ApiException.notFound(
        "There is no task with the identifier '%s' (parameter %s)."
            .formatted(name, TaskIdentifier.PARAM));
  }

  private Known newest() {
    if (!coming.isEmpty()) {
      return coming.getLast();
    }
    Optional<JobRecord> own = first(JobFilter.ALL.withUser(caller.user()));
    return own.map(Known::of).orElseThrow(() -> none(first(filter)));
  }

  private Optional<JobRecord> first(JobFilter wanted) {
    return reads.jobs(wanted, null, 1).stream().findFirst();
  }

  private static ApiException none(Optional<JobRecord> foreign) {
    return ApiException.notFound(
        foreign
            .map(
                job ->
                    "You have no jobs yet; the newest of all is %s of %s."
                        .formatted(job.id(), job.project().user()))
            .orElse("There are no jobs yet."));
  }

  private JobRecord require(JobId id) {
    return reads
        .job(id)
        .filter(job -> caller.maySee(job.project().user()))
        .orElseThrow(
            () ->
                ApiException.notFound(
                    "There is no job %s%s."
                        .formatted(
                            id,
                            first(filter).map(job -> "; the newest is " + job.id()).orElse(""))));
  }

  private Known named(String name) {
    return newestByName(name).orElseThrow(() -> unknown(name));
  }

  private ApiException unknown(String name) {
    List<String> names =
        only == null
            ? reads.recentNames(NAMES_LOOKED_AT)
            : reads.recentNames(NAMES_LOOKED_AT, only);
    List<String> near = NearNames.nearest(name, names, NAMES_OFFERED);
    return ApiException.notFound(
        "There is no job named '%s'.".formatted(name)
            + (near.isEmpty() ? "" : " Did you mean " + String.join(" or ", near) + "?"));
  }

  private List<Part> range(Selector.Ids ids) {
    List<Part> parts = new ArrayList<>();
    JobId before = new JobId(ids.last().value() + 1);
    while (true) {
      List<JobRecord> page = reads.jobs(filter, before, PAGE);
      for (JobRecord job : page) {
        if (job.id().compareTo(ids.first()) < 0) {
          return nonEmpty(ids, parts);
        }
        parts.addFirst(part(Known.of(job), 1, Selector.ALL_TASKS));
        before = job.id();
      }
      if (page.size() < PAGE) {
        return nonEmpty(ids, parts);
      }
      if (parts.size() >= MAX_JOBS) {
        throw ApiException.invalid("q", "That selects more than " + MAX_JOBS + " jobs.");
      }
    }
  }

  /**
   * What a selector means.
   *
   * @throws InputException if it is no selector
   * @throws ApiException naming what there is not
   */
  List<Part> resolve(String text) {
    List<Part> parts = new ArrayList<>();
    for (Selector.Part part : Selector.parse(text).parts()) {
      parts.addAll(resolve(part));
    }
    return parts;
  }

  /** The parts of the selector in the query {@code q}. */
  List<Part> parts(Exchange exchange) {
    String text =
        exchange
            .query("q")
            .orElseThrow(() -> ApiException.invalid("q", "Give a selector: ?q=12.3, ?q=last."));
    try {
      return resolve(text);
    } catch (InputException e) {
      throw ApiException.invalid("q", String.valueOf(e.getMessage()));
    }
  }

  /** The whole jobs of that selector, each once. */
  List<JobRecord> jobs(Exchange exchange) {
    Map<Long, JobRecord> jobs = new LinkedHashMap<>();
    for (Part part : parts(exchange)) {
      jobs.computeIfAbsent(part.job(), id -> require(new JobId(id)));
    }
    return List.copyOf(jobs.values());
  }

  private static List<Part> nonEmpty(Selector.Ids ids, List<Part> parts) {
    if (parts.isEmpty()) {
      throw ApiException.notFound(
          "There is no job from %s to %s.".formatted(ids.first(), ids.last()));
    }
    return parts;
  }

  private static Part part(Known job, int first, int last) {
    int end = last == Selector.ALL_TASKS ? job.taskCount() : last;
    if (end > job.taskCount()) {
      throw ApiException.notFound(
          "Job %s has no task %d; its last one is %d.".formatted(job.id(), end, job.taskCount()));
    }
    return new Part(
        job.id().value(), job.name(), job.taskCount(), first, end, last == Selector.ALL_TASKS);
  }
}
