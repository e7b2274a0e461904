package dev.imker.cli.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.model.ImkerException;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** How a command prints what it found. */
public final class OutputOptions {
  @Option(names = "--json", description = "Print JSON (a stable interface for scripts).")
  public boolean json;

  public static void printJson(PrintWriter out, JsonNode node) {
    try {
      out.println(ApiClient.json().writerWithDefaultPrettyPrinter().writeValueAsString(node));
    } catch (JsonProcessingException e) {
      throw new ImkerException("cannot print the answer as JSON: " + e.getMessage(), e);
    }
  }
}
