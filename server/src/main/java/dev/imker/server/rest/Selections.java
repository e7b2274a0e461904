package dev.imker.server.rest;

import dev.imker.model.InputException;
import dev.imker.model.JobId;
import dev.imker.model.Selector;
import dev.imker.server.http.ApiException;
import dev.imker.store.JobFilter;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds out which jobs and tasks a selector means. */
final class Selections {
  private static final int MOST_JOBS = 10_000;
  private static final int PAGE = 1000;
  private static final int NAMES_LOOKED_AT = 500;
  private static final int NAMES_OFFERED = 3;

  /** Tasks first..last of a job, both included. */
  record Part(long job, String name, int tasks, int first, int last) {}

  private final Reads reads;

  Selections(Reads reads) {
    this.reads = reads;
  }

  /**
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

  private List<Part> resolve(Selector.Part part) {
    Optional<JobRecord> whole =
        part.isWholeJob() ? Optional.empty() : reads.newestByName(part.text());
    if (whole.isPresent()) {
      return List.of(part(whole.get(), 1, Selector.ALL_TASKS));
    }
    return switch (part.jobs()) {
      case Selector.Last last -> List.of(part(newest(), part.firstTask(), part.lastTask()));
      case Selector.Named named ->
          List.of(part(named(named.name()), part.firstTask(), part.lastTask()));
      case Selector.Ids ids when ids.first().equals(ids.last()) ->
          List.of(part(require(ids.first()), part.firstTask(), part.lastTask()));
      case Selector.Ids ids -> range(ids);
    };
  }

  private JobRecord newest() {
    return reads.jobs(JobFilter.ALL, null, 1).stream()
        .findFirst()
        .orElseThrow(() -> ApiException.notFound("There are no jobs yet."));
  }

  private JobRecord require(JobId id) {
    return reads
        .job(id)
        .orElseThrow(
            () ->
                ApiException.notFound(
                    "There is no job %s; the newest is %s.".formatted(id, newest().id())));
  }

  private JobRecord named(String name) {
    return reads.newestByName(name).orElseThrow(() -> unknown(name));
  }

  private ApiException unknown(String name) {
    List<String> near = NearNames.nearest(name, reads.recentNames(NAMES_LOOKED_AT), NAMES_OFFERED);
    return ApiException.notFound(
        "There is no job named '%s'.".formatted(name)
            + (near.isEmpty() ? "" : " Did you mean " + String.join(" or ", near) + "?"));
  }

  private List<Part> range(Selector.Ids ids) {
    List<Part> parts = new ArrayList<>();
    JobId before = new JobId(ids.last().value() + 1);
    while (true) {
      List<JobRecord> page = reads.jobs(JobFilter.ALL, before, PAGE);
      for (JobRecord job : page) {
        if (job.id().compareTo(ids.first()) < 0) {
          return nonEmpty(ids, parts);
        }
        parts.addFirst(part(job, 1, Selector.ALL_TASKS));
        before = job.id();
      }
      if (page.size() < PAGE) {
        return nonEmpty(ids, parts);
      }
      if (parts.size() >= MOST_JOBS) {
        throw ApiException.invalid("q", "That means more than " + MOST_JOBS + " jobs.");
      }
    }
  }

  private static List<Part> nonEmpty(Selector.Ids ids, List<Part> parts) {
    if (parts.isEmpty()) {
      throw ApiException.notFound(
          "There is no job from %s to %s.".formatted(ids.first(), ids.last()));
    }
    return parts;
  }

  private static Part part(JobRecord job, int first, int last) {
    int end = last == Selector.ALL_TASKS ? job.taskCount() : last;
    if (end > job.taskCount()) {
      throw ApiException.notFound(
          "Job %s has no task %d; it has %d tasks.".formatted(job.id(), end, job.taskCount()));
    }
    return new Part(job.id().value(), job.name(), job.taskCount(), first, end);
  }
}
