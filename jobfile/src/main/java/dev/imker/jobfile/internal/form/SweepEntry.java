package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Spot;
import dev.imker.model.job.SweepAxis;
import java.util.List;

/** One line of a sweep as it was written, before files were looked at. */
public sealed interface SweepEntry {
  record Axis(String name, Source source, Spot spot) implements SweepEntry {}

  /** Parameters that vary together. */
  record Zip(List<Axis> axes, Spot spot) implements SweepEntry {
    public Zip {
      axes = List.copyOf(axes);
    }
  }

  /**
   * Parameters from the columns of a table.
   *
   * @param columns which ones; empty means all
   * @param separator empty means that the header tells
   */
  record Csv(String file, List<String> columns, String separator, Spot spot) implements SweepEntry {
    public Csv {
      columns = List.copyOf(columns);
    }
  }

  /** Where the values of a parameter come from. */
  sealed interface Source {
    /** They are there. The name of the axis means nothing. */
    record Fixed(SweepAxis axis) implements Source {}

    record Files(List<String> patterns) implements Source {
      public Files {
        patterns = List.copyOf(patterns);
      }
    }
  }
}
