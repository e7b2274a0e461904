package dev.imker.jobfile;

import dev.imker.model.job.SweepAxis;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Writes the axes of a sweep, in their order. */
final class SweepWriter {
  private SweepWriter() {}

  /** Groups are called zip, zip2, zip3, ... and appear at the position of their first axis. */
  static Map<String, Object> write(List<SweepAxis> sweep) {
    Map<String, Object> result = new LinkedHashMap<>();
    Map<String, Map<String, Object>> groups = new HashMap<>();
    for (SweepAxis axis : sweep) {
      if (axis.zip().isEmpty()) {
        result.put(axis.name(), values(axis));
        continue;
      }
      Map<String, Object> group = groups.get(axis.zip());
      if (group == null) {
        group = new LinkedHashMap<>();
        groups.put(axis.zip(), group);
        result.put(groups.size() == 1 ? "zip" : "zip" + groups.size(), group);
      }
      group.put(axis.name(), values(axis));
    }
    return result;
  }

  private static Object values(SweepAxis axis) {
    SweepAxis.Range range = axis.range();
    if (range == null) {
      return Objects.requireNonNull(axis.values());
    }
    if (range.width() == 0) {
      String ends = range.from() + ".." + range.to();
      return range.step() == 1 ? ends : ends + ".." + range.step();
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("from", range.from());
    result.put("to", range.to());
    result.put("step", range.step());
    result.put("width", range.width());
    return result;
  }
}
