package dev.imker.server.drop;

import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.account.DropItem;
import dev.imker.server.internal.drop.place.ResultTarget;
import java.io.IOException;
import java.util.List;

/** What a pool does with the files of a drop folder. */
interface DropWork {
  /** What became of a file: jobs, or the cause why it did not become any. */
  record Submission(List<JobId> jobs, String cause) {}

  /**
   * How jobs are.
   *
   * @param settled whether all of them are over
   * @param cause why they are not all done, once they are over; empty if they are
   */
  record Story(boolean settled, String cause) {}

  /** Keeps the content of a file. */
  BlobId keep(byte[] content) throws IOException, InterruptedException;

  byte[] content(BlobId blob) throws IOException;

  /** Submits a file's jobs; doing it again for the same file gives the same jobs. */
  Submission submit(DropItem item, JobFiles files) throws IOException, InterruptedException;

  Story story(List<JobId> jobs);

  /** How far they are, in words; looks at every task, so it is not for every turn. */
  String progress(List<JobId> jobs);

  void cancel(List<JobId> jobs) throws InterruptedException;

  void results(List<JobId> jobs, ResultTarget target) throws IOException;
}
