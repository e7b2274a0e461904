package dev.imker.model.sweep;

import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import java.util.List;

/**
 * A command with <code>${name}</code> in the places that vary, and the values of these parameters.
 */
public record Sweep(List<String> command, List<SweepAxis> axes) {
  public Sweep {
    command = List.copyOf(command);
    axes = List.copyOf(axes);
  }

  /** The number of combinations, with one task each. */
  public long size() {
    return Stage.of(command, axes).taskCount();
  }
}
