package dev.imker.server.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.JobSpec;
import dev.imker.model.SweepAxis;
import dev.imker.server.http.ApiException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the parameters of a stage. */
final class SweepReader {
  private static final int MOST_VALUES = 1_000_000;
  private static final int MOST_AXES = 100;

  private SweepReader() {}

  static List<SweepAxis> read(JsonFields fields) {
    List<SweepAxis> sweep = fields.list("sweep", MOST_AXES, SweepReader::axis);
    Set<String> names = new HashSet<>();
    Map<String, Long> zipped = new HashMap<>();
    long tasks = 1;
    for (int i = 0; i < sweep.size(); i++) {
      SweepAxis axis = sweep.get(i);
      String where = fields.at("sweep[" + i + "].name");
      if (!names.add(axis.name())) {
        throw ApiException.invalid(where, where + ": " + axis.name() + " is there twice.");
      }
      Long together = axis.zip().isEmpty() ? null : zipped.putIfAbsent(axis.zip(), axis.size());
      if (together != null) {
        checkZip(fields.at("sweep[" + i + "]"), axis, together);
        continue;
      }
      // Both factors are within the limit, so that the product fits into a long.
      tasks *= axis.size();
      if (tasks > JobSpec.MAX_TASKS) {
        throw ApiException.invalid(
            fields.at("sweep"),
            "The sweep makes more than %,d tasks; split it into several jobs."
                .formatted(JobSpec.MAX_TASKS));
      }
    }
    return sweep;
  }

  private static void checkZip(String where, SweepAxis axis, long size) {
    if (axis.size() != size) {
      throw ApiException.invalid(
          where,
          "%s: %s has %,d values, but what it is zipped with has %,d; make them equal."
              .formatted(where, axis.name(), axis.size(), size));
    }
  }

  private static SweepAxis axis(JsonNode node, String where) {
    JsonFields fields = JsonFields.of(node, where, Set.of("name", "values", "range", "zip"));
    String name = Parameters.checkName(fields.at("name"), fields.text("name"));
    String zip = fields.text("zip", "");
    if (fields.has("values") == fields.has("range")) {
      throw ApiException.invalid(where, where + " needs either values or a range, and not both.");
    }
    return fields.has("range")
        ? new SweepAxis(name, null, range(node.get("range"), fields.at("range")), zip)
        : new SweepAxis(name, values(fields), null, zip);
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
}
