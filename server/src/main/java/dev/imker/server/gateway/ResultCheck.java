package dev.imker.server.gateway;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.InputException;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskId;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.InputFile;
import dev.imker.model.text.SafePath;
import dev.imker.model.text.SafeText;
import dev.imker.store.AccountReads;
import dev.imker.store.Reads;
import dev.imker.store.blobs.BlobStore;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Accepts a report only if all its files are really present, were stored for the user of the job,
 * and have names that do not lead elsewhere. An agent that knows the hash of somebody else's file
 * cannot make it a result.
 */
public record ResultCheck(BlobStore blobs, Reads reads, AccountReads accounts) {
  private static final int MAX_RESULTS = 10_000;

  AttemptReport check(TaskId task, AttemptReport report) {
    Set<BlobId> named = named(report);
    if (named.isEmpty()) {
      return report;
    }
    Optional<String> problem = problem(task, report, named);
    if (problem.isEmpty()) {
      return withSizes(report);
    }
    return report.outcome() == AttemptOutcome.SUCCEEDED
        ? refused(problem.get())
        : report.withoutFiles();
  }

  private Optional<String> problem(TaskId task, AttemptReport report, Set<BlobId> named) {
    if (report.results().size() > MAX_RESULTS) {
      return Optional.of(
          "The task left %,d result files; the limit is %,d. Pack them into an archive, or select fewer."
              .formatted(report.results().size(), MAX_RESULTS));
    }
    Set<String> paths = new HashSet<>();
    for (ResultFile file : report.results()) {
      Optional<String> wrong = SafePath.problem(file.path());
      if (wrong.isPresent() || !paths.add(file.path())) {
        return Optional.of(
            "The agent reported a result whose path '%s' %s."
                .formatted(SafeText.line(file.path(), 200), wrong.orElse("comes twice")));
      }
    }
    return unowned(task, named)
        .or(() -> named.stream().filter(this::isGone).findFirst())
        .map(blob -> "The agent reported success, but its blob %s never arrived.".formatted(blob));
  }

  /**
   * Complains about files that an agent wants kept for a task, if they were not stored for its
   * user.
   */
  void requireOwned(TaskId task, List<InputFile> files) {
    files.forEach(file -> SafePath.check(file.path()));
    if (files.size() > MAX_RESULTS) {
      throw new InputException("A checkpoint has more than %,d files.".formatted(MAX_RESULTS));
    }
    Set<BlobId> named = files.stream().map(InputFile::blob).collect(Collectors.toSet());
    unowned(task, named)
        .ifPresent(
            blob -> {
              throw new InputException("The blob " + blob + " of a checkpoint never arrived.");
            });
  }

  private Optional<BlobId> unowned(TaskId task, Set<BlobId> named) {
    String user = reads.job(task.job()).map(job -> job.project().user()).orElse("");
    Set<BlobId> owned = accounts.owned(user, named);
    return named.stream().filter(blob -> !owned.contains(blob)).findFirst();
  }

  private boolean isGone(BlobId blob) {
    return !blobs.touch(blob, System.currentTimeMillis());
  }

  private static Set<BlobId> named(AttemptReport report) {
    Set<BlobId> named = new LinkedHashSet<>();
    report.results().forEach(file -> named.add(file.blob()));
    Stream.of(report.stdout(), report.stderr())
        .map(CapturedOutput::blob)
        .flatMap(Stream::ofNullable)
        .forEach(named::add);
    return named;
  }

  /** Files are as large as they are, whatever was said of them. */
  private AttemptReport withSizes(AttemptReport report) {
    return report.withResults(
        report.results().stream()
            .map(
                file ->
                    new ResultFile(
                        file.path(),
                        file.blob(),
                        blobs.size(file.blob()).orElse(file.size()),
                        file.executable()))
            .toList());
  }

  static AttemptReport refused(String why) {
    return AttemptReport.withoutRun(AttemptOutcome.FAILED, 0, why);
  }
}
