package dev.imker.server.gateway;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.ResultFile;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.store.BlobStore;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Believes a success only if everything that belongs to it is really here. */
public final class ResultCheck {
  private final BlobStore blobs;

  public ResultCheck(BlobStore blobs) {
    this.blobs = blobs;
  }

  AttemptReport check(AttemptReport report) {
    boolean nothing =
        report.results().isEmpty()
            && report.stdout().blob() == null
            && report.stderr().blob() == null;
    if (nothing || report.outcome() != AttemptOutcome.SUCCEEDED) {
      return report;
    }
    BlobId missing = missing(report);
    return missing == null
        ? report
        : refused("The agent reported success, but its blob " + missing + " never arrived.");
  }

  private @Nullable BlobId missing(AttemptReport report) {
    Stream<CapturedOutput> outputs = Stream.of(report.stdout(), report.stderr());
    return Stream.concat(
            report.results().stream().map(ResultFile::blob),
            outputs.map(CapturedOutput::blob).flatMap(Stream::ofNullable))
        .filter(blob -> !blobs.touch(blob, System.currentTimeMillis()))
        .findFirst()
        .orElse(null);
  }

  static AttemptReport refused(String why) {
    return AttemptReport.withoutRun(AttemptOutcome.FAILED, 0, why);
  }
}
