package dev.imker.model;

import java.util.List;
import java.util.Map;

/**
 * What was submitted in one go. This is what REST takes and what the store keeps (as JSON, with its
 * version).
 *
 * <p>{@code command}: one element is a line for the shell, several are a program and its arguments,
 * passed on exactly as given. In command, env values and outputs, <code>${name}</code> stands for
 * the value of a sweep parameter; <code>${task}</code> and <code>${job}</code> are always there.
 */
public record JobSpec(
    int version,
    String name,
    String project,
    JobKind kind,
    List<String> command,
    List<SweepAxis> sweep,
    Map<String, String> env,
    List<InputFile> inputs,
    List<String> outputs,
    Requirements needs,
    int priority,
    int maxFailures,
    long maxRuntimeMillis,
    boolean redundant) {
  public static final int CURRENT_VERSION = 1;
  public static final int DEFAULT_PRIORITY = 4;
  public static final int DEFAULT_MAX_FAILURES = 5;
  public static final long DEFAULT_MAX_RUNTIME_MILLIS = 24L * 60 * 60 * 1000;

  /** The largest number of tasks of one job. */
  public static final int MAX_TASKS = 10_000_000;

  public JobSpec {
    command = List.copyOf(command);
    sweep = List.copyOf(sweep);
    env = Map.copyOf(env);
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  /** How many tasks the sweep makes: the product of its axes, 1 without a sweep. */
  public long taskCount() {
    long count = 1;
    for (SweepAxis axis : sweep) {
      count = Math.multiplyExact(count, axis.size());
    }
    return count;
  }

  /** The parameter values of one task, in the order of the axes. */
  public List<String> params(int index) {
    String[] values = new String[sweep.size()];
    long rest = index;
    for (int i = sweep.size() - 1; i >= 0; i--) {
      SweepAxis axis = sweep.get(i);
      values[i] = axis.value(rest % axis.size());
      rest /= axis.size();
    }
    return List.of(values);
  }
}
