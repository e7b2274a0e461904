package dev.imker.server.gateway;

import dev.imker.model.InputException;
import dev.imker.model.JobId;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskRange;
import dev.imker.model.TaskState;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Placeholders;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import dev.imker.model.job.StageIndex;
import dev.imker.server.live.LiveJob;
import dev.imker.store.AttemptRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the results of other tasks that become files of a task. Reads the store, so it must be
 * called on a thread that may block.
 */
record DataInputs(Reads reads) {
  private static final int MAX_FILES = 200_000;
  private static final int PAGE = 1_000;

  /**
   * The files of one task.
   *
   * @throws InputException if there are none for one of its inputs, or two of the same name: no
   *     further attempt can cure that
   */
  List<InputFile> of(LiveJob job, int index) {
    Stage stage = job.stages().stageOf(index);
    Map<String, InputFile> files = new LinkedHashMap<>();
    List<String> values = job.stages().params(index);
    for (InputFile input : stage.inputs()) {
      if (input.isFor(stage.paramNames(), values)) {
        files.put(input.path(), input);
      }
    }
    int own = files.size();
    for (DataInput input : stage.dataInputs()) {
      add(job, index, input, files);
    }
    return new ArrayList<>(files.values()).subList(own, files.size());
  }

  private void add(LiveJob job, int index, DataInput input, Map<String, InputFile> files) {
    int before = files.size();
    After from = input.from();
    if (from.stage().isEmpty()) {
      for (TaskRange range : TaskRange.parse(from.tasks())) {
        addRange(range, jobSpec(range.job()), input, files);
      }
    } else {
      for (TaskRange range : producers(job, index, from)) {
        addRange(range, job.stages(), input, files);
      }
    }
    if (files.size() == before) {
      String whose =
          from.stage().isEmpty() ? "task " + from.tasks() : "stage '" + from.stage() + "'";
      throw new InputException(
          "No result of "
              + whose
              + " matches '"
              + input.glob()
              + "', which is an input of this task.");
    }
  }

  private StageIndex jobSpec(JobId job) {
    JobSpec spec =
        reads
            .spec(job)
            .orElseThrow(() -> new InputException("Job " + job + ", an input, no longer exists."));
    return StageIndex.of(spec);
  }

  // ---------------------------------------------------------------- who made them

  private static List<TaskRange> producers(LiveJob job, int index, After from) {
    StageIndex stages = job.stages();
    int producing = StageGraph.of(job.spec().stages()).number(from.stage());
    int first = stages.firstOf(producing);
    int own = index - stages.firstOf(stages.numberOf(index));
    return switch (from.matching()) {
      case ALL -> List.of(new TaskRange(job.id(), first, stages.endOf(producing)));
      case EACH -> List.of(new TaskRange(job.id(), first + own, first + own + 1));
      case PARAMS -> alike(job, stages.stageOf(index), own, producing);
    };
  }

  /** Tasks of a stage that share the values of all parameters which both stages have. */
  private static List<TaskRange> alike(LiveJob job, Stage stage, int own, int producing) {
    Stage before = job.spec().stages().get(producing);
    int first = job.stages().firstOf(producing);
    List<String> values = stage.params(own);
    Map<String, String> wanted = new HashMap<>();
    for (String name : StageGraph.sharedParams(before, stage)) {
      wanted.put(name, values.get(stage.paramNames().indexOf(name)));
    }
    List<TaskRange> found = new ArrayList<>();
    for (int task : TasksByParams.find(before, wanted)) {
      found.add(new TaskRange(job.id(), first + task, first + task + 1));
    }
    return found;
  }

  // ---------------------------------------------------------------- what they made

  private void addRange(
      TaskRange range, StageIndex stages, DataInput input, Map<String, InputFile> files) {
    int end = Math.min(range.toExclusive(), stages.taskCount());
    int next = range.from();
    while (next < end) {
      int limit = Math.min(PAGE, end - next);
      List<TaskRecord> page =
          reads.tasks(new TaskQuery(range.job(), Set.of(TaskState.DONE), next, limit, false));
      for (TaskRecord task : page) {
        if (task.id().index() < end) {
          add(task, stages, input, files);
        }
      }
      next = page.size() < limit ? end : page.getLast().id().index() + 1;
    }
  }

  private static void add(
      TaskRecord task, StageIndex stages, DataInput input, Map<String, InputFile> files) {
    AttemptRecord last = task.last();
    if (last == null || last.report() == null) {
      return;
    }
    String into = into(task, stages, input);
    PathMatcher matcher = matcher(input.glob());
    for (ResultFile result : last.report().results()) {
      if (matcher == null || matcher.matches(Path.of(result.path()))) {
        String path = into.isEmpty() ? result.path() : into + "/" + result.path();
        put(files, checked(path), result, task);
      }
    }
  }

  /** Null lets everything pass. */
  private static @Nullable PathMatcher matcher(String glob) {
    return glob.equals("*") || glob.equals("**")
        ? null
        : FileSystems.getDefault().getPathMatcher("glob:" + glob);
  }

  private static String into(TaskRecord task, StageIndex stages, DataInput input) {
    int index = task.id().index();
    Map<String, String> values = new HashMap<>();
    values.put("task", Long.toString(index + 1L));
    values.put("job", task.id().job().toString());
    List<String> names = stages.stageOf(index).paramNames();
    List<String> params = stages.params(index);
    for (int i = 0; i < names.size(); i++) {
      values.put(names.get(i), params.get(i));
    }
    return Placeholders.expand(input.into(), values::get);
  }

  private static String checked(String path) {
    for (String part : path.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..")) {
        throw new InputException("'" + path + "' is not a path inside the work folder.");
      }
    }
    return path;
  }

  private static void put(
      Map<String, InputFile> files, String path, ResultFile result, TaskRecord task) {
    InputFile file = new InputFile(path, result.blob(), result.size(), result.executable());
    if (files.putIfAbsent(path, file) != null) {
      throw new InputException(
          "Two inputs would both be named '"
              + path
              + "', one of them from task "
              + task.id()
              + ": give the data input a folder of its own, such as 'in/${task}'.");
    }
    if (files.size() > MAX_FILES) {
      throw new InputException("More than " + MAX_FILES + " files would be inputs of this task.");
    }
  }
}
