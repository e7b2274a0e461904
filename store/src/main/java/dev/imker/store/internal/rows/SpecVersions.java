package dev.imker.store.internal.rows;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import java.util.List;

/**
 * Converts the specification of a job from any version to the current form. Version 1 had a single
 * stage whose fields were next to those of the job.
 */
final class SpecVersions {
  private static final JobSpec DEFAULTS =
      JobSpec.of("", "default", JobKind.COMMAND, Stage.of(List.of(), List.of()));
  private static final List<String> RULES_OF_VERSION_1 =
      List.of("maxFailures", "maxRuntimeMillis", "redundant");

  private SpecVersions() {}

  static ObjectNode current(JsonMapper mapper, String json) throws JsonProcessingException {
    ObjectNode written = (ObjectNode) mapper.readTree(json);
    ObjectNode spec = mapper.valueToTree(DEFAULTS);
    ObjectNode plainStage = (ObjectNode) spec.withArray("stages").get(0);
    ArrayNode stages = mapper.createArrayNode();
    if (written.has("stages")) {
      written.withArray("stages").forEach(stage -> stages.add(filled(plainStage, stage)));
    } else {
      stages.add(ofVersion1(plainStage, written));
    }
    spec.setAll(written);
    spec.set("stages", stages);
    spec.put("version", JobSpec.CURRENT_VERSION);
    return spec;
  }

  /** Fields unknown to the writer get their defaults. */
  private static ObjectNode filled(ObjectNode plain, JsonNode stage) {
    ObjectNode result = plain.deepCopy();
    ObjectNode rules = (ObjectNode) result.get("rules");
    stage
        .path("rules")
        .properties()
        .forEach(rule -> rules.set(nameNow(rule.getKey()), rule.getValue()));
    result.setAll((ObjectNode) stage);
    result.set("rules", rules);
    ArrayNode sweep = result.withArray("sweep");
    sweep.forEach(axis -> fill((ObjectNode) axis, "zip"));
    result.withArray("inputs").forEach(input -> fill((ObjectNode) input, "os"));
    return result;
  }

  private static String nameNow(String rule) {
    return rule.equals("redundant") ? "speculative" : rule;
  }

  private static void fill(ObjectNode node, String field) {
    if (!node.has(field)) {
      node.put(field, "");
    }
  }

  private static ObjectNode ofVersion1(ObjectNode plain, ObjectNode written) {
    ObjectNode stage = written.deepCopy();
    stage.put("name", "");
    ObjectNode rules = stage.putObject("rules");
    for (String rule : RULES_OF_VERSION_1) {
      JsonNode value = stage.remove(rule);
      if (value != null) {
        rules.set(rule, value);
      }
    }
    stage.remove(List.of("version", "project", "kind", "priority"));
    return filled(plain, stage);
  }
}
