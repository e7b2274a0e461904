package dev.imker.server.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.BlobId;
import dev.imker.model.InputFile;
import dev.imker.model.JobKind;
import dev.imker.model.JobSpec;
import dev.imker.model.Requirements;
import dev.imker.model.SweepAxis;
import dev.imker.server.http.ApiException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a job as it was submitted, fills in defaults, and refuses what could not work. */
final class JobSpecReader {
  private static final Set<String> FIELDS =
      Set.of(
          "version",
          "name",
          "project",
          "kind",
          "command",
          "sweep",
          "env",
          "inputs",
          "outputs",
          "needs",
          "priority",
          "maxFailures",
          "maxRuntimeMillis",
          "redundant");
  private static final int MOST_VALUES = 1_000_000;
  private static final int MOST_FILES = 10_000;
  private static final int MOST_ARGUMENTS = 10_000;
  private static final int MOST_COMMAND_CHARS = 120_000;
  private static final int MOST_AXES = 20;
  private static final int MOST_FAILURES = 100;
  private static final long MOST_RUNTIME_MILLIS = 366L * 24 * 60 * 60 * 1000;

  private JobSpecReader() {}

  static JobSpec read(JsonNode body) {
    JsonFields fields = JsonFields.of(body, "", FIELDS);
    JobKind kind = fields.choice("kind", JobKind.class, JobKind.COMMAND);
    List<String> command = command(fields, kind);
    List<SweepAxis> sweep = sweep(fields);
    Map<String, String> env = env(fields);
    List<String> outputs = fields.texts("outputs", MOST_FILES);
    Parameters known = new Parameters(sweep);
    known.check("command", command);
    known.check("outputs", outputs);
    env.forEach((key, value) -> known.check("env." + key, value));
    WorkPaths.checkGlobs("outputs", outputs, known);
    return new JobSpec(
        (int) fields.number("version", JobSpec.CURRENT_VERSION, 1, JobSpec.CURRENT_VERSION),
        fields.has("name")
            ? JobNames.check("name", fields.text("name"))
            : JobNames.derive(command, kind),
        JobNames.check("project", fields.text("project", "default")),
        kind,
        command,
        sweep,
        env,
        inputs(fields),
        outputs,
        needs(fields),
        (int) fields.number("priority", JobSpec.DEFAULT_PRIORITY, 0, 9),
        (int) fields.number("maxFailures", JobSpec.DEFAULT_MAX_FAILURES, 1, MOST_FAILURES),
        fields.number(
            "maxRuntimeMillis", JobSpec.DEFAULT_MAX_RUNTIME_MILLIS, 1, MOST_RUNTIME_MILLIS),
        fields.flag("redundant", false));
  }

  private static List<String> command(JsonFields fields, JobKind kind) {
    List<String> command = fields.texts("command", MOST_ARGUMENTS);
    if (kind == JobKind.NOOP) {
      return command;
    }
    if (command.isEmpty() || command.getFirst().isBlank()) {
      throw ApiException.invalid(
          "command",
          "command is missing: give a line for the shell, [\"echo hello\"], or a program and its"
              + " arguments, [\"echo\", \"hello\"].");
    }
    if (command.stream().mapToLong(String::length).sum() > MOST_COMMAND_CHARS) {
      throw ApiException.invalid(
          "command",
          "command is longer than " + MOST_COMMAND_CHARS + " characters; put it into an input.");
    }
    return command;
  }

  // ---------------------------------------------------------------- sweep

  private static List<SweepAxis> sweep(JsonFields fields) {
    List<SweepAxis> sweep = fields.list("sweep", MOST_AXES, JobSpecReader::axis);
    Set<String> names = new HashSet<>();
    long tasks = 1;
    for (int i = 0; i < sweep.size(); i++) {
      SweepAxis axis = sweep.get(i);
      String where = "sweep[" + i + "].name";
      if (!names.add(axis.name())) {
        throw ApiException.invalid(where, where + ": " + axis.name() + " is there twice.");
      }
      // Both factors are within the limit, so that the product fits into a long.
      tasks *= axis.size();
      if (tasks > JobSpec.MAX_TASKS) {
        throw ApiException.invalid(
            "sweep",
            "The sweep makes more than %,d tasks; split it into several jobs."
                .formatted(JobSpec.MAX_TASKS));
      }
    }
    return sweep;
  }

  private static SweepAxis axis(JsonNode node, String where) {
    JsonFields fields = JsonFields.of(node, where, Set.of("name", "values", "range"));
    String name = Parameters.checkName(fields.at("name"), fields.text("name"));
    if (fields.has("values") == fields.has("range")) {
      throw ApiException.invalid(where, where + " needs either values or a range, and not both.");
    }
    return fields.has("range")
        ? new SweepAxis(name, null, range(node.get("range"), fields.at("range")))
        : new SweepAxis(name, values(fields), null);
  }

  private static List<String> values(JsonFields fields) {
    List<String> values = fields.texts("values", MOST_VALUES);
    if (values.isEmpty()) {
      throw ApiException.invalid(fields.at("values"), fields.at("values") + " must not be empty.");
    }
    return values;
  }

  private static SweepAxis.Range range(JsonNode node, String where) {
    JsonFields fields = JsonFields.of(node, where, Set.of("from", "to", "step", "width"));
    long bound = Long.MAX_VALUE / 4;
    SweepAxis.Range range =
        new SweepAxis.Range(
            fields.number("from", -bound, bound),
            fields.number("to", -bound, bound),
            fields.number("step", 1, 1, bound),
            (int) fields.number("width", 0, 0, 30));
    if (range.size() > JobSpec.MAX_TASKS) {
      throw ApiException.invalid(
          where,
          "%s has more than %,d values; split it into several jobs."
              .formatted(where, JobSpec.MAX_TASKS));
    }
    return range;
  }

  // ---------------------------------------------------------------- files and environment

  private static Map<String, String> env(JsonFields fields) {
    Map<String, String> env = fields.map("env");
    for (String name : env.keySet()) {
      if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
        throw ApiException.invalid(
            "env." + name, "env: " + name + " is no name of an environment variable.");
      }
    }
    return env;
  }

  private static List<InputFile> inputs(JsonFields fields) {
    List<InputFile> inputs = fields.list("inputs", MOST_FILES, JobSpecReader::input);
    Set<String> paths = new HashSet<>();
    for (int i = 0; i < inputs.size(); i++) {
      String where = "inputs[" + i + "].path";
      if (!paths.add(inputs.get(i).path())) {
        throw ApiException.invalid(where, where + ": " + inputs.get(i).path() + " is there twice.");
      }
    }
    return inputs;
  }

  private static InputFile input(JsonNode node, String where) {
    JsonFields fields = JsonFields.of(node, where, Set.of("path", "blob", "size", "executable"));
    String path = WorkPaths.check(fields.at("path"), fields.text("path"));
    return new InputFile(
        path,
        blob(fields.at("blob"), node.get("blob")),
        fields.number("size", 0, Long.MAX_VALUE),
        fields.flag("executable", false));
  }

  private static BlobId blob(String where, @Nullable JsonNode node) {
    JsonNode word = node != null && node.isObject() ? node.get("sha256") : node;
    if (word == null || !word.isTextual() || !BlobId.isValid(word.textValue())) {
      throw ApiException.invalid(
          where, where + " must be the SHA-256 of the file's content in lower-case hexadecimal.");
    }
    return new BlobId(word.textValue());
  }

  // ---------------------------------------------------------------- needs

  private static Requirements needs(JsonFields fields) {
    if (!fields.has("needs")) {
      return Requirements.ANY;
    }
    JsonFields needs = fields.object("needs", Set.of("alternatives"));
    return new Requirements(needs.list("alternatives", 20, JobSpecReader::need));
  }

  private static Requirements.Need need(JsonNode node, String where) {
    JsonFields fields =
        JsonFields.of(
            node,
            where,
            Set.of(
                "os", "arch", "cores", "gpus", "memoryBytes", "diskBytes", "labels", "runtimes"));
    return new Requirements.Need(
        Set.copyOf(fields.texts("os", 20)),
        Set.copyOf(fields.texts("arch", 20)),
        (int) fields.number("cores", 0, 0, 100_000),
        (int) fields.number("gpus", 0, 0, 1000),
        fields.number("memoryBytes", 0, 0, Long.MAX_VALUE),
        fields.number("diskBytes", 0, 0, Long.MAX_VALUE),
        Set.copyOf(fields.texts("labels", 100)),
        fields.map("runtimes"));
  }
}
