package dev.imker.server.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.After;
import dev.imker.model.BlobId;
import dev.imker.model.DataInput;
import dev.imker.model.InputFile;
import dev.imker.model.JobKind;
import dev.imker.model.Requirements;
import dev.imker.model.Stage;
import dev.imker.model.SweepAxis;
import dev.imker.model.TaskRules;
import dev.imker.server.http.ApiException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads one stage of a job. */
final class StageReader {
  static final Set<String> FIELDS =
      Set.of(
          "command",
          "payload",
          "sweep",
          "env",
          "inputs",
          "dataInputs",
          "outputs",
          "needs",
          "rules",
          "after",
          // as version 1 had them, beside the others
          "maxFailures",
          "maxRuntimeMillis",
          "redundant");
  private static final Set<String> OWN_FIELDS = ownFields();
  private static final int MOST_FILES = 10_000;
  private static final int MOST_ARGUMENTS = 10_000;
  private static final int MOST_COMMAND_CHARS = 120_000;
  private static final int MOST_PAYLOAD_CHARS = 1_000_000;
  private static final int MOST_PREDECESSORS = 10_000;

  private StageReader() {}

  private static Set<String> ownFields() {
    Set<String> own = new HashSet<>(FIELDS);
    own.add("name");
    return Set.copyOf(own);
  }

  /** A stage in the list of a job. */
  static Stage read(JsonNode node, String where, JobKind kind) {
    JsonFields fields = JsonFields.of(node, where, OWN_FIELDS);
    String name = fields.text("name", "");
    return read(fields, kind)
        .withName(name.isEmpty() ? "" : JobNames.check(fields.at("name"), name));
  }

  /** The only stage of a job, whose fields stand beside the job's own. */
  static Stage read(JsonFields fields, JobKind kind) {
    List<String> command = command(fields, kind);
    List<SweepAxis> sweep = SweepReader.read(fields);
    Map<String, String> env = env(fields);
    List<String> outputs = fields.texts("outputs", MOST_FILES);
    TaskRules rules = RulesReader.read(fields);
    Parameters known = new Parameters(sweep);
    known.check(fields.at("command"), command);
    known.check(fields.at("outputs"), outputs);
    known.check(fields.at("rules.stdin"), rules.stdin());
    known.check(fields.at("rules.folder"), rules.folder());
    env.forEach((key, value) -> known.check(fields.at("env." + key), value));
    WorkPaths.checkGlobs(fields.at("outputs"), outputs, known);
    return new Stage(
        "",
        command,
        payload(fields),
        sweep,
        env,
        inputs(fields),
        fields.list("dataInputs", MOST_FILES, StageReader::dataInput),
        outputs,
        needs(fields),
        rules,
        fields.list("after", MOST_PREDECESSORS, StageReader::after));
  }

  private static List<String> command(JsonFields fields, JobKind kind) {
    List<String> command = fields.texts("command", MOST_ARGUMENTS);
    if (kind != JobKind.COMMAND) {
      return command;
    }
    if (command.isEmpty() || command.getFirst().isBlank()) {
      throw ApiException.invalid(
          fields.at("command"),
          "command is missing: give a line for the shell, [\"echo hello\"], or a program and its"
              + " arguments, [\"echo\", \"hello\"].");
    }
    if (command.stream().mapToLong(String::length).sum() > MOST_COMMAND_CHARS) {
      throw ApiException.invalid(
          fields.at("command"),
          "command is longer than " + MOST_COMMAND_CHARS + " characters; put it into an input.");
    }
    return command;
  }

  private static String payload(JsonFields fields) {
    String payload = fields.text("payload", "");
    if (payload.length() > MOST_PAYLOAD_CHARS) {
      throw ApiException.invalid(
          fields.at("payload"),
          "payload is longer than " + MOST_PAYLOAD_CHARS + " characters; put it into an input.");
    }
    return payload;
  }

  // ---------------------------------------------------------------- what comes before

  private static After after(JsonNode node, String where) {
    JsonFields fields = JsonFields.of(node, where, Set.of("stage", "matching", "tasks"));
    String stage = fields.text("stage", "");
    String tasks = fields.text("tasks", "");
    if (stage.isEmpty() == tasks.isEmpty()) {
      throw ApiException.invalid(
          where, where + " needs either a stage of this job or tasks of others, and not both.");
    }
    return new After(
        stage, fields.choice("matching", After.Matching.class, After.Matching.ALL), tasks);
  }

  private static DataInput dataInput(JsonNode node, String where) {
    JsonFields fields = JsonFields.of(node, where, Set.of("from", "glob", "into"));
    JsonNode from = node.get("from");
    if (from == null) {
      throw ApiException.invalid(fields.at("from"), fields.at("from") + " is missing.");
    }
    return new DataInput(
        after(from, fields.at("from")), fields.text("glob", "*"), fields.text("into", ""));
  }

  // ---------------------------------------------------------------- files and environment

  private static Map<String, String> env(JsonFields fields) {
    Map<String, String> env = fields.map("env");
    for (String name : env.keySet()) {
      if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
        throw ApiException.invalid(
            fields.at("env." + name), "env: " + name + " is no name of an environment variable.");
      }
    }
    return env;
  }

  private static List<InputFile> inputs(JsonFields fields) {
    List<InputFile> inputs = fields.list("inputs", MOST_FILES, StageReader::input);
    Set<String> paths = new HashSet<>();
    for (int i = 0; i < inputs.size(); i++) {
      String where = fields.at("inputs[" + i + "].path");
      if (!paths.add(inputs.get(i).path() + " " + inputs.get(i).os())) {
        throw ApiException.invalid(where, where + ": " + inputs.get(i).path() + " is there twice.");
      }
    }
    return inputs;
  }

  private static InputFile input(JsonNode node, String where) {
    JsonFields fields =
        JsonFields.of(node, where, Set.of("path", "blob", "size", "executable", "os", "param"));
    String path = WorkPaths.check(fields.at("path"), fields.text("path"));
    return new InputFile(
        path,
        blob(fields.at("blob"), node.get("blob")),
        fields.number("size", 0, Long.MAX_VALUE),
        fields.flag("executable", false),
        fields.text("os", ""),
        fields.text("param", ""));
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
    return new Requirements(needs.list("alternatives", 20, StageReader::need));
  }

  private static Requirements.Need need(JsonNode node, String where) {
    JsonFields fields =
        JsonFields.of(
            node,
            where,
            Set.of(
                "os",
                "arch",
                "cores",
                "gpus",
                "memoryBytes",
                "diskBytes",
                "labels",
                "runtimes",
                "downloadBytes"));
    return new Requirements.Need(
        Set.copyOf(fields.texts("os", 20)),
        Set.copyOf(fields.texts("arch", 20)),
        (int) fields.number("cores", 0, 0, 100_000),
        (int) fields.number("gpus", 0, 0, 1000),
        fields.number("memoryBytes", 0, 0, Long.MAX_VALUE),
        fields.number("diskBytes", 0, 0, Long.MAX_VALUE),
        Set.copyOf(fields.texts("labels", 100)),
        fields.map("runtimes"),
        fields.number("downloadBytes", 0, 0, Long.MAX_VALUE));
  }
}
