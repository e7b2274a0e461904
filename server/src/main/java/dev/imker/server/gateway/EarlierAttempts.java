package dev.imker.server.gateway;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskId;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.InputFile;
import dev.imker.store.AttemptRecord;
import dev.imker.store.Reads;
import java.util.ArrayList;
import java.util.List;

/** What a further attempt at a task is told about earlier ones. May wait for the store. */
public record EarlierAttempts(Reads reads) {
  /** The results of a task that is to be undone are laid into this folder. */
  private static final String DONE_FOLDER = "done/";

  private static final int MAX_ERROR_CHARS = 4_000;

  /** Why the last attempt that failed did so, in words; empty if none did. */
  public String error(TaskId task) {
    String error = "";
    for (AttemptRecord attempt : reads.attempts(task)) {
      AttemptReport report = attempt.report();
      if (report != null && report.outcome() == AttemptOutcome.FAILED) {
        error = report.error();
      }
    }
    return error.substring(0, Math.min(error.length(), MAX_ERROR_CHARS));
  }

  /** What the task left when it was done. */
  List<InputFile> results(TaskId task) {
    List<InputFile> files = new ArrayList<>();
    for (AttemptRecord attempt : reads.attempts(task)) {
      AttemptReport report = attempt.report();
      if (report != null && report.outcome() == AttemptOutcome.SUCCEEDED) {
        files.clear();
        for (ResultFile file : report.results()) {
          files.add(
              new InputFile(
                  DONE_FOLDER + file.path(), file.blob(), file.size(), file.executable()));
        }
      }
    }
    return files;
  }
}
