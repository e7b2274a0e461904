package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Spot;
import dev.imker.model.job.After;
import dev.imker.model.job.InputFile;
import java.util.List;

/** One input as it was written, before files were looked at. */
public sealed interface InputEntry {
  /**
   * A file, a folder or a pattern.
   *
   * @param as its name in the work folder; empty means its own
   * @param os empty means every one
   */
  record Local(String from, String as, boolean executable, String os, Spot spot)
      implements InputEntry {}

  /** A file that the pool has already. */
  record Stored(InputFile file, Spot spot) implements InputEntry {}

  /** Results of other tasks. */
  record Results(AfterEntry from, List<String> files, String into, Spot spot)
      implements InputEntry {
    public Results {
      files = List.copyOf(files);
    }
  }

  /**
   * What comes before.
   *
   * @param name a stage, a pattern of stages, or a selector: what it is must be found out; empty if
   *     one of the others is given
   */
  record AfterEntry(
      String name, String stage, String tasks, String data, After.Matching matching, Spot spot) {}
}
