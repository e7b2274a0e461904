package dev.imker.model.validation;

import dev.imker.model.job.ActionBinding;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The defaults for fields of a job, the same for every way of submitting it. */
public final class JobDefaults {
  public static final String PROJECT = "default";

  /** Every file that is new or changed. */
  public static final List<String> OUTPUTS = List.of("*");

  private static final Map<Class<?>, Set<String>> REQUIRED =
      Map.of(
          JobSpec.class, Set.of("stages"),
          SweepAxis.class, Set.of("name"),
          SweepAxis.Range.class, Set.of("from", "to"),
          InputFile.class, Set.of("path", "blob", "size"),
          DataInput.class, Set.of("from"),
          ActionBinding.class, Set.of("action"));

  private JobDefaults() {}

  /** Whether a component of a record of a job has no default. */
  public static boolean isRequired(Class<? extends Record> type, String component) {
    return REQUIRED.getOrDefault(type, Set.of()).contains(component);
  }

  /**
   * The default of a component.
   *
   * @param given given components of the same record
   * @return null if the default is empty, 0 or false
   */
  public static @Nullable Object of(
      Class<? extends Record> type, String component, Map<String, Object> given) {
    return switch (type.getSimpleName() + "." + component) {
      case "JobSpec.version" -> JobSpec.CURRENT_VERSION;
      case "JobSpec.project" -> PROJECT;
      case "JobSpec.kind" -> JobKind.COMMAND;
      case "JobSpec.priority" -> JobSpec.DEFAULT_PRIORITY;
      case "JobSpec.onFailure" -> OnFailure.CARRY_ON;
      case "JobSpec.notices" -> Notices.NOBODY;
      case "Stage.outputs" -> OUTPUTS;
      case "Stage.needs" -> Requirements.ANY;
      case "Stage.rules" -> TaskRules.USUAL;
      case "Range.step" -> 1L;
      case "After.matching" -> After.Matching.ALL;
      case "DataInput.glob" -> "*";
      case "OnFailure.way" -> OnFailure.Way.CARRY_ON;
      case "OnFailure.limit" ->
          OnFailure.defaultLimit((OnFailure.Way) given.getOrDefault("way", OnFailure.Way.CARRY_ON));
      case "TaskRules.speculative" -> TaskRules.defaultSpeculative(checkpoints(given));
      case "TaskRules.checkpointMillis" -> TaskRules.defaultCheckpointMillis(checkpoints(given));
      default -> type == TaskRules.class ? component(TaskRules.USUAL, component) : null;
    };
  }

  private static List<?> checkpoints(Map<String, Object> given) {
    return (List<?>) given.getOrDefault("checkpoints", List.of());
  }

  private static Object component(Record record, String name) {
    try {
      return record.getClass().getMethod(name).invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("no component " + name + " of " + record.getClass(), e);
    }
  }
}
