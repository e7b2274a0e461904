package dev.imker.server.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.InputException;
import dev.imker.model.JobKind;
import dev.imker.model.JobSpec;
import dev.imker.model.Notices;
import dev.imker.model.OnFailure;
import dev.imker.model.Stage;
import dev.imker.model.StageGraph;
import dev.imker.server.http.ApiException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads a job as it was submitted, fills in defaults, and refuses what could not work. A job of one
 * stage may have the fields of the stage beside its own.
 */
final class JobSpecReader {
  private static final Set<String> JOB_FIELDS =
      Set.of("version", "name", "project", "kind", "priority", "onFailure", "notices");
  private static final int MOST_STAGES = 10_000;
  private static final int MOST_ADDRESSES = 20;
  private static final int MOST_RESTARTS = 100;

  private JobSpecReader() {}

  /** The same for one of several; errors name its place. */
  static JobSpec read(JsonNode body, String where) {
    try {
      return read(body);
    } catch (ApiException e) {
      throw e.within(where, where + ": ");
    }
  }

  static JobSpec read(JsonNode body) {
    JsonFields fields =
        JsonFields.of(
            body, "", body.has("stages") ? with(Set.of("stages")) : with(StageReader.FIELDS));
    JobKind kind = fields.choice("kind", JobKind.class, JobKind.COMMAND);
    List<Stage> stages =
        fields.has("stages")
            ? fields.list("stages", MOST_STAGES, (node, at) -> StageReader.read(node, at, kind))
            : List.of(StageReader.read(fields, kind));
    check(stages);
    checkGraph(stages);
    OnFailure onFailure = onFailure(fields);
    if (onFailure.way() == OnFailure.Way.ROLLBACK && kind != JobKind.JAVA) {
      throw ApiException.invalid(
          "onFailure.way",
          "ROLLBACK needs tasks that can be undone, which those of kind JAVA are; a command has no"
              + " way back. Choose ABORT, RESTART or CARRY_ON.");
    }
    return new JobSpec(
        version(fields),
        name(fields, kind, stages),
        JobNames.check("project", fields.text("project", "default")),
        kind,
        (int) fields.number("priority", JobSpec.DEFAULT_PRIORITY, 0, 9),
        stages,
        onFailure,
        notices(fields));
  }

  private static Set<String> with(Set<String> more) {
    Set<String> known = new TreeSet<>(JOB_FIELDS);
    known.addAll(more);
    return known;
  }

  /** Whatever version a job was written in, it is kept in the present one. */
  private static int version(JsonFields fields) {
    fields.number("version", JobSpec.CURRENT_VERSION, 1, JobSpec.CURRENT_VERSION);
    return JobSpec.CURRENT_VERSION;
  }

  private static String name(JsonFields fields, JobKind kind, List<Stage> stages) {
    return fields.has("name")
        ? JobNames.check("name", fields.text("name"))
        : JobNames.derive(stages.getFirst().command(), kind);
  }

  private static void check(List<Stage> stages) {
    if (stages.isEmpty()) {
      throw ApiException.invalid("stages", "stages is empty: a job has at least one.");
    }
    Set<String> names = new HashSet<>();
    long tasks = 0;
    for (int i = 0; i < stages.size(); i++) {
      String name = stages.get(i).name();
      String where = "stages[" + i + "].name";
      if (stages.size() > 1 && name.isEmpty()) {
        throw ApiException.invalid(where, where + " is missing: with several stages each has one.");
      }
      if (!names.add(name)) {
        throw ApiException.invalid(where, where + ": " + name + " is there twice.");
      }
      tasks += stages.get(i).taskCount();
    }
    if (tasks > JobSpec.MAX_TASKS) {
      throw ApiException.invalid(
          "stages",
          "The job makes more than %,d tasks; split it into several.".formatted(JobSpec.MAX_TASKS));
    }
  }

  private static void checkGraph(List<Stage> stages) {
    try {
      StageGraph.of(stages).check();
    } catch (InputException e) {
      throw ApiException.invalid("stages", String.valueOf(e.getMessage()));
    }
  }

  private static OnFailure onFailure(JsonFields fields) {
    if (!fields.has("onFailure")) {
      return OnFailure.CARRY_ON;
    }
    JsonFields given = fields.object("onFailure", Set.of("way", "limit"));
    return new OnFailure(
        given.choice("way", OnFailure.Way.class, OnFailure.Way.CARRY_ON),
        (int) given.number("limit", 0, 0, MOST_RESTARTS));
  }

  private static Notices notices(JsonFields fields) {
    if (!fields.has("notices")) {
      return Notices.NOBODY;
    }
    JsonFields given = fields.object("notices", Set.of("mail", "webHooks"));
    List<String> mail = given.texts("mail", MOST_ADDRESSES);
    List<String> hooks = given.texts("webHooks", MOST_ADDRESSES);
    requireAll("notices.mail", mail, "[^\\s@]{1,200}@[^\\s@]{1,200}", "NAME@HOST");
    requireAll("notices.webHooks", hooks, "https?://[^\\s]{1,1000}", "https://HOST/PATH");
    return new Notices(mail, hooks);
  }

  private static void requireAll(String field, List<String> texts, String form, String example) {
    for (String text : texts) {
      if (!text.matches(form)) {
        throw ApiException.invalid(
            field, "%s: '%s' is not of the form %s.".formatted(field, text, example));
      }
    }
  }
}
