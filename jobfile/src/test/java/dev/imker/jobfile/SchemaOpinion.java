package dev.imker.jobfile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What an independent validator says about a file, with an ordinary YAML reader. */
final class SchemaOpinion {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonSchema SCHEMA =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
          .getSchema(JobFileSchema.json());

  private SchemaOpinion() {}

  /** Complaints about all documents of a file. */
  static List<String> of(String yaml) {
    List<String> complaints = new ArrayList<>();
    for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(yaml)) {
      JsonNode node = JSON.valueToTree(document);
      SCHEMA.validate(node).forEach(message -> complaints.add(message.getMessage()));
    }
    return complaints;
  }
}
