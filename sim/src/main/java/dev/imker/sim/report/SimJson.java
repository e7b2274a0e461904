package dev.imker.sim.report;

import dev.imker.sim.SimResult;
import dev.imker.sim.Spread;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Results as one JSON array. */
final class SimJson {
  private SimJson() {}

  public static String write(List<SimResult> results) {
    StringBuilder json = new StringBuilder("[");
    for (SimResult result : results) {
      json.append(json.length() == 1 ? "\n" : ",\n");
      append(json, result);
    }
    return json.append("\n]").toString();
  }

  private static void append(StringBuilder json, SimResult result) {
    json.append("{\"config\":").append(quoted(result.config().name()));
    json.append(",\"strategy\":").append(quoted(result.strategy()));
    json.append(",\"seeds\":").append(result.runs().size());
    json.append(",\"avEff\":").append(spread(result.avEff()));
    json.append(",\"effWindow\":").append(spread(result.effWindow()));
    json.append(",\"avDone\":").append(spread(result.avDone()));
    json.append(",\"makespan\":").append(spread(result.makespan()));
    json.append(",\"perProject\":{");
    for (int k = 0; k < result.config().projects().size(); k++) {
      json.append(k == 0 ? "" : ",").append(quoted(result.projectName(k)));
      json.append(":{\"finished\":").append(spread(result.finished(k)));
      if (result.config().hasAmounts()) {
        json.append(",\"waited\":").append(spread(result.waited(k)));
      }
      json.append('}');
    }
    json.append('}');
    String before = ",\"resources\":{";
    for (String name : result.resources()) {
      json.append(before).append(quoted(name));
      json.append(":{\"used\":").append(spread(result.used(name)));
      json.append(",\"usedWhileWaiting\":").append(spread(result.usedWhileWaiting(name)));
      json.append('}');
      before = ",";
    }
    json.append(result.resources().isEmpty() ? "}" : "}}");
  }

  private static String spread(@Nullable Spread spread) {
    return spread == null
        ? "null"
        : String.format(Locale.ROOT, "{\"mean\":%.3f,\"sd\":%.3f}", spread.mean(), spread.sd());
  }

  private static String quoted(String text) {
    StringBuilder json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> json.append('\\').append(c);
        default -> {
          if (c < 0x20) {
            json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    return json.append('"').toString();
  }
}
