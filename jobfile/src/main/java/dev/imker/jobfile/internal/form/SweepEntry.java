package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Spot;
import dev.imker.model.job.SweepAxis;
import java.util.List;

/** One line of a sweep as written, before files are looked up. */
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
   * @param columns their names; empty means all
   * @param separator empty: determined from the header
   */
  record Csv(String file, List<String> columns, String separator, Spot spot) implements SweepEntry {
    public Csv {
      columns = List.copyOf(columns);
    }
  }

  /** The source of the values of a parameter. */
  sealed interface Source {
    /** Given values. The name of the axis is ignored. */
    record Fixed(SweepAxis axis) implements Source {}

    record Files(List<String> patterns) implements Source {
      public Files {
        patterns = List.copyOf(patterns);
      }
    }
  }
}
