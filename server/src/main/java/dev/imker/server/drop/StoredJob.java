package dev.imker.server.drop;

import dev.imker.jobfile.draft.UnfinishedJob;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskState;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** A job of this pool, for writing a report of its results so far. */
record StoredJob(JobId id, JobSpec spec, Reads reads, BlobStore blobs) implements UnfinishedJob {
  private static final int PAGE = 500;

  @Override
  public void fetchInput(InputFile input, Path target) throws IOException {
    copy(input.blob(), target);
  }

  @Override
  public int fetchResults(String namePrefix, Path folder) throws IOException {
    int count = 0;
    int from = 0;
    while (true) {
      List<TaskRecord> page =
          reads.tasks(new TaskQuery(id, Set.of(TaskState.DONE), from, PAGE, false));
      for (TaskRecord task : page) {
        count += fetch(task, namePrefix, folder);
      }
      if (page.size() < PAGE) {
        return count;
      }
      from = page.getLast().id().index() + 1;
    }
  }

  private int fetch(TaskRecord task, String namePrefix, Path folder) throws IOException {
    var last = task.last();
    var report = last == null ? null : last.report();
    int count = 0;
    if (report != null) {
      for (ResultFile file : report.results()) {
        if (file.path().startsWith(namePrefix) && file.path().indexOf('/') < 0) {
          copy(file.blob(), folder.resolve(file.path()));
          count++;
        }
      }
    }
    return count;
  }

  private void copy(BlobId blob, Path target) throws IOException {
    try (InputStream in = blobs.open(blob)) {
      Files.copy(in, target);
    }
  }
}
