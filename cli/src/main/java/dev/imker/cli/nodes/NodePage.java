package dev.imker.cli.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.terminal.Texts;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One machine with its agents and what is recorded of its behaviour. */
record NodePage(PrintWriter out) {
  void print(JsonNode node) {
    JsonNode platform = node.path("platform");
    line("node", node.path("name").asText() + "  " + node.path("id").asText());
    line("state", node.path("connected").asBoolean() ? "connected" : "away");
    line("slots", node.path("running").asText() + " of " + node.path("slots").asText() + " busy");
    if (!node.path("amounts").isEmpty()) {
      line("used", AmountWords.of(node.path("amounts")));
    }
    line(
        "system",
        platform.path("os").asText()
            + " "
            + platform.path("osVersion").asText()
            + " "
            + platform.path("arch").asText()
            + ", "
            + platform.path("cores").asText()
            + " cores, "
            + Texts.bytes(platform.path("memoryBytes").asLong())
            + " memory, "
            + Texts.bytes(platform.path("diskBytes").asLong())
            + " disk free");
    if (platform.path("gpus").asInt() > 0) {
      line("gpus", platform.path("gpus").asText());
    }
    if (!platform.path("labels").isEmpty()) {
      List<String> labels = new ArrayList<>();
      platform.path("labels").forEach(label -> labels.add(label.asText()));
      line("labels", String.join(", ", labels));
    }
    for (Map.Entry<String, JsonNode> fact : platform.path("facts").properties()) {
      line(fact.getKey(), fact.getValue().asText());
    }
    if (!platform.path("runtimes").isEmpty()) {
      line("runtimes", Texts.params(platform.path("runtimes")));
    }
    for (JsonNode agent : node.path("agents")) {
      line("agent", agent(agent));
    }
    terms(node.path("terms"));
    if (node.hasNonNull("profile")) {
      out.println();
      profile(node.path("profile"));
    }
  }

  private void terms(JsonNode terms) {
    if (terms.hasNonNull("paused")) {
      line("paused", order(terms.path("paused")));
    }
    if (terms.hasNonNull("draining")) {
      line("draining", order(terms.path("draining")));
    }
    if (terms.hasNonNull("unsandboxed")) {
      line("unsandboxed", "allowed " + order(terms.path("unsandboxed")));
    }
    JsonNode restriction = terms.path("restriction");
    if (restriction.isObject()) {
      List<String> parts = new ArrayList<>();
      names(restriction.path("serves")).ifPresent(all -> parts.add("for " + all));
      names(restriction.path("kinds")).ifPresent(all -> parts.add("for jobs of the kind " + all));
      if (restriction.path("cores").asInt() > 0) {
        parts.add("with at most " + restriction.path("cores") + " cores");
      }
      line("used only", String.join(", ", parts) + "; " + order(restriction));
    }
  }

  private static Optional<String> names(JsonNode array) {
    List<String> names = new ArrayList<>();
    array.forEach(name -> names.add(name.asText()));
    return names.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", names));
  }

  private static String order(JsonNode order) {
    String why = order.path("why").asText();
    return "by %s since %s%s"
        .formatted(
            order.path("by").asText(),
            Texts.time(order.path("since")),
            why.isEmpty() ? "" : ": " + why);
  }

  private static String agent(JsonNode agent) {
    String state = agent.path("connected").asBoolean() ? "connected" : "away";
    String pause = agent.path("pause").asText();
    if (!pause.isEmpty()) {
      state = "paused (" + pause + ")";
    }
    return agent.path("name").asText()
        + "  "
        + (agent.path("draining").asBoolean() ? "draining" : state)
        + ", "
        + agent.path("running").asText()
        + " of "
        + agent.path("slots").asText()
        + " slots busy, "
        + (agent.path("sandbox").asText().isEmpty()
            ? ""
            : "sandbox " + agent.path("sandbox").asText() + ", ")
        + (agent.path("trust").asInt() > 0 ? "trust " + agent.path("trust") + ", " : "")
        + "version "
        + agent.path("version").asText()
        + ", seen "
        + Texts.time(agent.path("seen"));
  }

  private void profile(JsonNode profile) {
    line(
        "reliability",
        number(profile.path("reliabilityPercent"))
            + " %: "
            + profile.path("faults").asText()
            + " attempts lost through its own fault");
    line(
        "R (published)",
        number(profile.path("R")) + " of -1..1, level " + profile.path("nP").asText() + " (nP)");
    line(
        "succeeded",
        profile.path("successes").asText()
            + " attempts, "
            + Texts.minutes(profile.path("avS"))
            + " each (avS)");
    line(
        "failed",
        profile.path("failures").asText()
            + " attempts, "
            + Texts.minutes(profile.path("avF"))
            + " each (avF)");
    line(
        "up",
        Texts.minutes(profile.path("acU"))
            + " now (acU), "
            + Texts.minutes(profile.path("avU"))
            + " on average (avU)");
    line("benchmark", benchmark(profile));
  }

  private static String benchmark(JsonNode profile) {
    return profile.hasNonNull("rB")
        ? Math.round(profile.path("rB").asDouble())
            + " ms (rB), class "
            + number(profile.path("B"))
            + " (B)"
        : "not measured yet";
  }

  private static String number(JsonNode value) {
    return String.format(Locale.ROOT, "%.2f", value.asDouble());
  }

  private void line(String what, String text) {
    out.println(String.format(Locale.ROOT, "%-11s%s", what, text));
  }
}
