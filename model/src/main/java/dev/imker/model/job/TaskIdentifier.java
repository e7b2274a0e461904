package dev.imker.model.job;

import java.util.ArrayList;
import java.util.List;

/**
 * A user's own name for a single task: the value of the parameter of this name. {@code @NAME} in a
 * selector means the newest task with that identifier.
 */
public final class TaskIdentifier {
  public static final String PARAM = "userIdentifier";
  public static final String MARK = "@";

  private TaskIdentifier() {}

  /** Positions of the tasks of a job with this identifier. */
  public static List<Integer> find(JobSpec spec, String name) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < spec.stages().size(); i++) {
      Stage stage = spec.stages().get(i);
      int axis = stage.paramNames().indexOf(PARAM);
      List<String> values = axis < 0 ? null : stage.sweep().get(axis).values();
      if (values != null && values.size() == stage.taskCount()) {
        int position = values.indexOf(name);
        if (position >= 0) {
          found.add(spec.firstOf(i) + position);
        }
      } else if (values != null && values.contains(name)) {
        for (int task = 0; task < stage.taskCount(); task++) {
          if (stage.params(task).get(axis).equals(name)) {
            found.add(spec.firstOf(i) + task);
          }
        }
      }
    }
    return found;
  }
}
