package dev.imker.server.drop;

import dev.imker.jobfile.draft.JobDialect;
import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.ResultFile;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.JobSpec;
import dev.imker.server.internal.drop.place.FolderTree;
import dev.imker.server.internal.drop.place.ResultTarget;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import dev.imker.store.blobs.BlobStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes the results of jobs. A lone task has its files at the top, others have a folder each. A
 * stage called {@code report} of one task has its files at the top too, and when all is done, the
 * others are left out: they were only steps on the way.
 */
record JobResults(Reads reads, BlobStore blobs) {
  private static final String REPORT = "report";
  private static final int MIN_DIGITS = 4;
  private static final int PAGE = 500;

  void write(List<JobId> jobs, ResultTarget target) throws IOException {
    for (JobId id : jobs) {
      Optional<JobRecord> job = reads.job(id);
      if (job.isPresent()) {
        write(job.get(), jobs.size() == 1 ? "" : job.get().name() + "-" + id + "/", target);
      }
    }
  }

  private void write(JobRecord job, String prefix, ResultTarget target) throws IOException {
    int report = reportOf(job);
    boolean onlyReport = report >= 0 && job.status() == JobStatus.DONE;
    if (!onlyReport && reportUnfinished(job, prefix, target)) {
      return;
    }
    int from = onlyReport ? report : 0;
    while (from < job.taskCount()) {
      List<TaskRecord> page = reads.tasks(new TaskQuery(job.id(), Set.of(), from, PAGE, true));
      for (TaskRecord task : page) {
        int index = task.id().index();
        boolean top = job.taskCount() == 1 || index == report;
        write(task, prefix + (top ? "" : folder(index, job.taskCount())), target);
      }
      from = page.size() < PAGE ? job.taskCount() : page.getLast().id().index() + 1;
    }
  }

  /** What an analysis has got until it was ended, in readable form instead of in parts. */
  private boolean reportUnfinished(JobRecord job, String prefix, ResultTarget target)
      throws IOException {
    Optional<JobSpec> spec = reads.spec(job.id());
    if (spec.isEmpty()) {
      return false;
    }
    Path folder = Files.createTempDirectory("imker-unfinished");
    try {
      StoredJob stored = new StoredJob(job.id(), spec.get(), reads, blobs);
      if (!JobDialect.reportUnfinishedByAny(stored, folder)) {
        return false;
      }
      for (Path file : FolderTree.files(folder)) {
        try (InputStream in = Files.newInputStream(file)) {
          target.put(prefix + folder.relativize(file).toString().replace('\\', '/'), in, false);
        }
      }
      return true;
    } finally {
      FolderTree.delete(folder);
    }
  }

  /** The index of the only task of the stage that reports; -1 if there is none. */
  private int reportOf(JobRecord job) {
    Optional<JobSpec> spec = reads.spec(job.id());
    if (spec.isEmpty()) {
      return -1;
    }
    for (int i = 0; i < spec.get().stages().size(); i++) {
      var stage = spec.get().stages().get(i);
      if (stage.name().equals(REPORT) && stage.taskCount() == 1) {
        return spec.get().firstOf(i);
      }
    }
    return -1;
  }

  private static String folder(int index, int tasks) {
    int width = Math.max(MIN_DIGITS, Integer.toString(tasks).length());
    String digits = Integer.toString(index + 1);
    return "0".repeat(width - digits.length()) + digits + "/";
  }

  private void write(TaskRecord task, String folder, ResultTarget target) throws IOException {
    @Nullable AttemptReport report = task.last() == null ? null : task.last().report();
    if (report == null) {
      return;
    }
    for (ResultFile file : report.results()) {
      try (InputStream in = blobs.open(file.blob())) {
        target.put(folder + file.path(), in, file.executable());
      }
    }
    write(report.stdout(), folder + "stdout.txt", target);
    write(report.stderr(), folder + "stderr.txt", target);
  }

  private void write(CapturedOutput output, String path, ResultTarget target) throws IOException {
    if (output.size() == 0) {
      return;
    }
    try (InputStream in =
        output.blob() == null
            ? new ByteArrayInputStream(output.inline())
            : blobs.open(output.blob())) {
      target.put(path, in, false);
    }
  }
}
