package dev.imker.model.change;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.ResultFile;
import java.util.List;

/** What is known of an attempt that ended. Zero times: it never started. */
public record AttemptReport(
    AttemptOutcome outcome,
    int exitCode,
    long startedMillis,
    long endedMillis,
    long cpuMillis,
    long peakMemoryBytes,
    CapturedOutput stdout,
    CapturedOutput stderr,
    List<ResultFile> results,
    String error) {
  /** The same with another word on what went wrong. */
  public AttemptReport withError(String words) {
    return new AttemptReport(
        outcome,
        exitCode,
        startedMillis,
        endedMillis,
        cpuMillis,
        peakMemoryBytes,
        stdout,
        stderr,
        results,
        words);
  }

  public static AttemptReport withoutRun(AttemptOutcome outcome, long atMillis, String error) {
    return new AttemptReport(
        outcome, 0, 0, atMillis, 0, 0, CapturedOutput.NONE, CapturedOutput.NONE, List.of(), error);
  }
}
