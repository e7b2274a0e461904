package dev.imker.jobfile.draft;

import dev.imker.jobfile.findings.Finding;
import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Place;
import dev.imker.jobfile.findings.Spot;
import dev.imker.model.BlobId;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.model.validation.JobNames;
import dev.imker.model.validation.JobValidator;
import dev.imker.model.validation.Violation;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntPredicate;

/**
 * The position of a job in a file, so that mistakes can be reported with line and column, whether
 * they are found here or by the pool.
 */
public final class JobOrigin {
  private static final BlobId ANY_BLOB = new BlobId("0".repeat(64));

  private final String file;
  private final Function<String, Spot> spots;

  /**
   * @param spots the position of the fields of the job's {@link JobSpec}
   */
  public JobOrigin(String file, Function<String, Spot> spots) {
    this.file = file;
    this.spots = spots;
  }

  /**
   * A mistake in the format of compilers.
   *
   * @param field as named by the pool; the nearest field of the file is reported
   */
  public String tell(String field, String message) {
    Place place = spots.apply(field).place();
    return file + ":" + place.line() + ":" + place.column() + ": " + message;
  }

  /**
   * Finds everything that would prevent the job from being accepted.
   *
   * @param hasUnknownParameters the stages whose parameters are not all known here
   */
  public static void check(JobDraft draft, IntPredicate hasUnknownParameters, Findings findings) {
    JobSpec spec =
        draft.complete(
            file ->
                new InputFile(
                    file.path(),
                    ANY_BLOB,
                    file.size(),
                    file.executable(),
                    file.os(),
                    file.param()));
    JobSpec named =
        spec.name().isEmpty()
            ? spec.withName(JobNames.derive(spec.stages().getFirst().command(), spec.kind()))
            : spec;
    List<Finding> before = findings.errors();
    for (Violation violation : JobValidator.check(named, hasUnknownParameters)) {
      Spot spot = draft.origin().spots.apply(violation.field());
      boolean told = before.stream().anyMatch(error -> error.field().startsWith(spot.field()));
      if (!told && (before.isEmpty() || !isAboutSeveralStages(violation))) {
        findings.error(spot, violation.message(), violation.cure());
      }
    }
  }

  /** Such mistakes may be consequences of others. */
  private static boolean isAboutSeveralStages(Violation violation) {
    return violation.field().equals("stages")
        || violation.field().contains(".after")
        || violation.field().contains(".from");
  }
}
