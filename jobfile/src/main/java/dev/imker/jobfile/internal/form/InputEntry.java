package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Spot;
import dev.imker.model.job.After;
import dev.imker.model.job.InputFile;
import java.util.List;

/** One input as written, before files are looked up. */
public sealed interface InputEntry {
  /**
   * A file, a folder or a pattern.
   *
   * @param as its name in the work folder; empty means its own name
   * @param os empty means every one
   */
  record Local(String from, String as, boolean executable, String os, Spot spot)
      implements InputEntry {}

  /** A file that is already in the pool. */
  record Stored(InputFile file, Spot spot) implements InputEntry {}

  /** Results of other tasks. */
  record Results(AfterEntry from, List<String> files, String into, Spot spot)
      implements InputEntry {
    public Results {
      files = List.copyOf(files);
    }
  }

  /**
   * A predecessor.
   *
   * @param name a stage, a pattern of stages, or a selector, to be resolved later; empty if one of
   *     the others is given
   */
  record AfterEntry(
      String name, String stage, String tasks, String data, After.Matching matching, Spot spot) {}
}
