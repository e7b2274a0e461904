package dev.imker.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.cli.terminal.SafeWriter;
import dev.imker.cli.terminal.TextTable;
import dev.imker.model.ImkerException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** {@code imker doctor --deep}: every server compares its memory with the database. */
record DeepCheck(ApiClient api) {
  private static final String PATH = "/api/v1/servers/check";

  int run(PrintWriter terminal, boolean json) {
    PrintWriter out = SafeWriter.ofOutput(terminal);
    List<JsonNode> running = new ArrayList<>();
    for (JsonNode server : api.get("/api/v1/servers").path("servers")) {
      if (server.path("running").asBoolean()) {
        running.add(server);
      }
    }
    ArrayNode results = ApiClient.json().createArrayNode();
    for (JsonNode server : running) {
      results.add(check(server, running.size() == 1));
    }
    boolean fine = true;
    for (JsonNode result : results) {
      fine &= result.path("trouble").asText("").isEmpty() && result.path("differences").isEmpty();
    }
    if (json) {
      ObjectNode all = ApiClient.json().createObjectNode();
      all.put("fine", fine).set("servers", results);
      OutputOptions.printJson(out, all);
    } else {
      print(out, results);
      out.println(
          fine
              ? "What servers have in memory is what the database says."
              : "Not all is as it should be. A standby that differed has read the pool again; restart"
                  + " a leader that differs, so that another one leads, and report what is said above.");
    }
    return fine ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private ObjectNode check(JsonNode server, boolean alone) {
    ObjectNode result = ApiClient.json().createObjectNode();
    String shown = server.path("urls").path(0).asText();
    result.put("server", shown);
    if (alone) { // by the way that is known to lead there
      return result.setAll((ObjectNode) api.get(PATH));
    }
    String trouble = "it has no address";
    for (JsonNode url : server.path("urls")) {
      try (ApiClient there = api.at(url.asText())) {
        return result.setAll((ObjectNode) there.get(PATH));
      } catch (ImkerException e) {
        trouble = String.valueOf(e.getMessage());
      }
    }
    return result.put("trouble", trouble);
  }

  private static void print(PrintWriter out, ArrayNode results) {
    TextTable table =
        new TextTable("SERVER", "ROLE", "POSITION", "JOBS", "TASKS", "DIFFERENCES", "TOOK");
    for (JsonNode result : results) {
      boolean asked = !result.has("trouble");
      table.add(
          result.path("server").asText(),
          !asked ? "" : result.path("leads").asBoolean() ? "leads" : "standby",
          result.path("position").asText(""),
          result.path("jobs").asText(""),
          result.path("tasks").asText(""),
          !asked ? "not asked" : Integer.toString(result.path("differences").size()),
          !asked
              ? ""
              : String.format(Locale.ROOT, "%.1f s", result.path("millis").asLong() / 1000.0));
    }
    table.print(out);
    for (JsonNode result : results) {
      String server = result.path("server").asText();
      if (result.has("trouble")) {
        out.println(server + " cannot be asked: " + result.path("trouble").asText());
      }
      for (JsonNode difference : result.path("differences")) {
        out.println(server + ": " + difference.asText());
      }
      if (result.path("unsettled").asLong() > 0) {
        out.println(
            "%s: %,d jobs changed whenever they were looked at, so nothing is said of these tasks."
                .formatted(server, result.path("unsettled").asLong()));
      }
    }
  }
}
