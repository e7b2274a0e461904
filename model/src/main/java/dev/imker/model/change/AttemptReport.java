package dev.imker.model.change;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.ResultFile;
import java.util.Comparator;
import java.util.List;

/**
 * What is known about an attempt that ended. Times of zero mean that it never started.
 *
 * @param pausedMillis how long it was frozen between its start and its end
 * @param outOfMemory whether it was killed because it used more memory than granted
 * @param attestation the {@code Attestation} of its node; empty if there is none
 */
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
    String error,
    long pausedMillis,
    boolean outOfMemory,
    byte[] attestation) {
  private static final byte[] NOT_ATTESTED = {};

  /** Exit code of shells for a command that was not found. */
  public static final int NOT_FOUND = 127;

  /** A report without an attestation. */
  public AttemptReport(
      AttemptOutcome outcome,
      int exitCode,
      long startedMillis,
      long endedMillis,
      long cpuMillis,
      long peakMemoryBytes,
      CapturedOutput stdout,
      CapturedOutput stderr,
      List<ResultFile> results,
      String error,
      long pausedMillis,
      boolean outOfMemory) {
    this(
        outcome,
        exitCode,
        startedMillis,
        endedMillis,
        cpuMillis,
        peakMemoryBytes,
        stdout,
        stderr,
        results,
        error,
        pausedMillis,
        outOfMemory,
        NOT_ATTESTED);
  }

  /** A report of an attempt that was never frozen and had enough memory. */
  public AttemptReport(
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
    this(
        outcome,
        exitCode,
        startedMillis,
        endedMillis,
        cpuMillis,
        peakMemoryBytes,
        stdout,
        stderr,
        results,
        error,
        0,
        false);
  }

  /** What a quorum compares: exit code, files, standard output. */
  public String result() {
    StringBuilder text = new StringBuilder().append(exitCode);
    results.stream()
        .sorted(Comparator.comparing(ResultFile::path))
        .forEach(file -> text.append('\n').append(file.path()).append(' ').append(file.blob()));
    return text.append('\n').append(stdout.sha256()).toString();
  }

  /** Whether its node was unable to start the command. */
  public boolean couldNotStart() {
    return outcome == AttemptOutcome.FAILED && startedMillis == 0 && exitCode == NOT_FOUND;
  }

  /** The run time, excluding the time in which it was frozen; 0 if it never started. */
  public long runMillis() {
    return startedMillis == 0 ? 0 : Math.max(0, endedMillis - startedMillis - pausedMillis);
  }

  /** The same with another error message. */
  public AttemptReport withError(String words) {
    return with(outcome, stdout, stderr, results, words);
  }

  /** The report of an attempt that does not count: no results, and only inline output. */
  public AttemptReport ofStopped(String reason) {
    return with(AttemptOutcome.STOPPED, inline(stdout), inline(stderr), List.of(), reason);
  }

  /** The same with other results. */
  public AttemptReport withResults(List<ResultFile> files) {
    return with(outcome, stdout, stderr, files, error);
  }

  /** The same without results, and with inline output only. */
  public AttemptReport withoutFiles() {
    return with(outcome, inline(stdout), inline(stderr), List.of(), error);
  }

  private static CapturedOutput inline(CapturedOutput output) {
    return output.blob() == null ? output : CapturedOutput.NONE;
  }

  private AttemptReport with(
      AttemptOutcome ended,
      CapturedOutput out,
      CapturedOutput err,
      List<ResultFile> files,
      String words) {
    return new AttemptReport(
        ended,
        exitCode,
        startedMillis,
        endedMillis,
        cpuMillis,
        peakMemoryBytes,
        out,
        err,
        files,
        words,
        pausedMillis,
        outOfMemory,
        attestation);
  }

  public static AttemptReport withoutRun(AttemptOutcome outcome, long atMillis, String error) {
    return new AttemptReport(
        outcome, 0, 0, atMillis, 0, 0, CapturedOutput.NONE, CapturedOutput.NONE, List.of(), error);
  }
}
