package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Hints;
import dev.imker.jobfile.findings.Spot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A mapping with known fields. */
public final class Form implements Kind<Filled> {
  private final Map<String, Field<?>> fields = new LinkedHashMap<>();
  private final Set<String> required;
  private final Map<String, String> elsewhere;
  private final String otherwise;

  Form(List<Field<?>> fields, Set<String> required, Map<String, String> elsewhere) {
    this(fields, required, elsewhere, "");
  }

  /**
   * @param required required fields
   * @param elsewhere fields that belong elsewhere, with a hint
   * @param otherwise message for a field that resembles none, with %s for its name
   */
  Form(
      List<Field<?>> fields,
      Set<String> required,
      Map<String, String> elsewhere,
      String otherwise) {
    fields.forEach(field -> this.fields.put(field.name(), field));
    this.required = required;
    this.elsewhere = elsewhere;
    this.otherwise = otherwise;
  }

  public Form(List<Field<?>> fields, Set<String> required) {
    this(fields, required, Map.of());
  }

  public Set<String> names() {
    return fields.keySet();
  }

  @Override
  public @Nullable Filled read(Tree tree, String path, Findings findings) {
    Spot spot = new Spot(tree.place(), path);
    if (!(tree instanceof Tree.Entries entries)) {
      findings.error(
          spot,
          "This must be a mapping, but is %s.".formatted(tree.inWords()),
          "Its fields: " + String.join(", ", fields.keySet()) + ".");
      return null;
    }
    Filled filled = Filled.empty(spot);
    for (Tree.Entry entry : entries.entries()) {
      read(entry, path, filled, findings);
    }
    for (String name : required) {
      if (!entries.has(name)) {
        findings.error(spot, "'" + name + "' is missing.", "");
      }
    }
    return filled;
  }

  private void read(Tree.Entry entry, String path, Filled filled, Findings findings) {
    String name = entry.name();
    String at = path.isEmpty() ? name : path + "." + name;
    Field<?> field = fields.get(name);
    if (field == null) {
      String fix = elsewhere.get(name);
      String hint = fix != null ? fix : Hints.suggest(name, fields.keySet());
      findings.error(
          new Spot(entry.key().place(), at),
          "Unknown field '%s'.".formatted(name),
          fix != null || otherwise.isEmpty()
              ? hint
              : hint + " " + otherwise.formatted(Hints.shorten(name)));
      return;
    }
    filled.put(
        name, new Spot(entry.value().place(), at), field.kind().read(entry.value(), at, findings));
  }

  @Override
  public Map<String, Object> schema() {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Field<?> field : fields.values()) {
      Map<String, Object> property = new LinkedHashMap<>();
      if (!field.help().isEmpty()) {
        property.put("description", field.help());
      }
      property.putAll(field.kind().schema());
      properties.put(field.name(), property);
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put("additionalProperties", false);
    if (!required.isEmpty()) {
      schema.put("required", required.stream().sorted().toList());
    }
    return schema;
  }
}
