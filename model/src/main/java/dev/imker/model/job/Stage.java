package dev.imker.model.job;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A group of similar tasks in a job: a single task, or one for every combination of a sweep.
 *
 * <p>{@code command}: one element is a line for the shell, several are a program and its arguments,
 * passed on exactly as given. In command, env values, outputs, stdin and folder, <code>${name}
 * </code> stands for the value of a sweep parameter; <code>${task}</code> and <code>${job}</code>
 * are always available.
 *
 * @param name unique in the job; empty if it is the only one
 * @param payload what the agent needs in addition to a command, for some kinds; JSON, opaque to the
 *     server
 * @param inputs files that travel with every task
 * @param dataInputs results of other tasks that become input files of these
 * @param after what must be finished before these tasks start, in addition to {@code dataInputs}
 */
public record Stage(
    String name,
    List<String> command,
    String payload,
    List<SweepAxis> sweep,
    Map<String, String> env,
    List<InputFile> inputs,
    List<DataInput> dataInputs,
    List<String> outputs,
    Requirements needs,
    TaskRules rules,
    List<After> after) {
  public Stage {
    command = List.copyOf(command);
    sweep = List.copyOf(sweep);
    env = Map.copyOf(env);
    inputs = List.copyOf(inputs);
    dataInputs = List.copyOf(dataInputs);
    outputs = List.copyOf(outputs);
    after = List.copyOf(after);
  }

  /** A plain command. */
  public static Stage of(List<String> command, List<SweepAxis> sweep) {
    return new Stage(
        "",
        command,
        "",
        sweep,
        Map.of(),
        List.of(),
        List.of(),
        List.of(),
        Requirements.ANY,
        TaskRules.USUAL,
        List.of());
  }

  public Stage withName(String value) {
    return new Stage(
        value, command, payload, sweep, env, inputs, dataInputs, outputs, needs, rules, after);
  }

  public Stage withSweep(List<SweepAxis> value) {
    return new Stage(
        name, command, payload, value, env, inputs, dataInputs, outputs, needs, rules, after);
  }

  public Stage withFiles(List<InputFile> in, List<String> out) {
    return new Stage(name, command, payload, sweep, env, in, dataInputs, out, needs, rules, after);
  }

  public Stage withEnv(Map<String, String> value) {
    return new Stage(
        name, command, payload, sweep, value, inputs, dataInputs, outputs, needs, rules, after);
  }

  public Stage withRules(TaskRules value) {
    return new Stage(
        name, command, payload, sweep, env, inputs, dataInputs, outputs, needs, value, after);
  }

  public Stage withNeeds(Requirements value) {
    return new Stage(
        name, command, payload, sweep, env, inputs, dataInputs, outputs, value, rules, after);
  }

  public Stage withPayload(String value) {
    return new Stage(
        name, command, value, sweep, env, inputs, dataInputs, outputs, needs, rules, after);
  }

  public Stage withAfter(List<After> value) {
    return new Stage(
        name, command, payload, sweep, env, inputs, dataInputs, outputs, needs, rules, value);
  }

  public Stage withDataInputs(List<DataInput> value) {
    return new Stage(
        name, command, payload, sweep, env, inputs, value, outputs, needs, rules, after);
  }

  /** The maximum that one of its tasks has to fetch before it starts, as far as known. */
  public long inputBytes() {
    long most = 0;
    for (String os : inputs.stream().map(InputFile::os).distinct().toList()) {
      Map<String, Long> byParam = new HashMap<>();
      for (InputFile input : inputs) {
        if (input.isFor(os)) {
          byParam.merge(
              input.param(), input.size(), input.param().isEmpty() ? Long::sum : Math::max);
        }
      }
      most = Math.max(most, byParam.values().stream().mapToLong(size -> size).sum());
    }
    return most;
  }

  /**
   * The number of tasks of the sweep: the product of its axes, where zipped axes count once; 1
   * without a sweep.
   */
  public long taskCount() {
    long count = 1;
    for (int i = 0; i < sweep.size(); i++) {
      if (leads(i)) {
        count = Math.multiplyExact(count, sweep.get(i).size());
      }
    }
    return count;
  }

  /** The parameter values of one task of this stage, in the order of the axes. */
  public List<String> params(int indexInStage) {
    String[] values = new String[sweep.size()];
    long rest = indexInStage;
    for (int i = sweep.size() - 1; i >= 0; i--) {
      if (leads(i)) {
        long size = sweep.get(i).size();
        fill(values, i, rest % size);
        rest /= size;
      }
    }
    return List.of(values);
  }

  /** The names of the parameters, in the order of the axes. */
  public List<String> paramNames() {
    List<String> names = new ArrayList<>(sweep.size());
    sweep.forEach(axis -> names.add(axis.name()));
    return names;
  }

  /** Whether an axis is the first of those it is zipped with. */
  private boolean leads(int axis) {
    String zip = sweep.get(axis).zip();
    if (zip.isEmpty()) {
      return true;
    }
    for (int i = 0; i < axis; i++) {
      if (sweep.get(i).zip().equals(zip)) {
        return false;
      }
    }
    return true;
  }

  private void fill(String[] values, int leader, long position) {
    String zip = sweep.get(leader).zip();
    values[leader] = sweep.get(leader).value(position);
    if (!zip.isEmpty()) {
      for (int i = leader + 1; i < sweep.size(); i++) {
        if (sweep.get(i).zip().equals(zip)) {
          values[i] = sweep.get(i).value(position);
        }
      }
    }
  }
}
