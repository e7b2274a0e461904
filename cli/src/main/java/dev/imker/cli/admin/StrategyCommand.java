package dev.imker.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import dev.imker.model.ImkerException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code imker strategy}: who decides which project a free slot works for. */
@Command(
    name = "strategy",
    description = "Show the scheduling strategy in use and the others available; 'set' changes it.",
    subcommands = StrategyCommand.Choose.class)
public final class StrategyCommand extends PoolCommand {
  private static final String PATH = "/api/v1/strategy";

  @Override
  public int run(ApiClient api) {
    JsonNode answer = api.get(PATH);
    return show(
        answer,
        out -> {
          out.println("strategy   " + answer.path("name").asText());
          if (!answer.path("parameters").isEmpty()) {
            out.println("parameters " + Texts.params(answer.path("parameters")));
          }
          out.println();
          TextTable table = new TextTable("NAME", "WHAT IT GIVES A FREE SLOT", "PARAMETERS");
          for (JsonNode kind : answer.path("available")) {
            table.add(kind.path("name").asText(), kind.path("summary").asText(), defaults(kind));
          }
          table.print(out);
          out.println();
          out.println("Change it with: imker strategy set NAME [PARAMETER=VALUE]...");
        });
  }

  private static String defaults(JsonNode kind) {
    StringBuilder text = new StringBuilder();
    for (JsonNode parameter : kind.path("parameters")) {
      text.append(text.isEmpty() ? "" : " ");
      text.append(parameter.path("name").asText()).append('=');
      text.append(parameter.path("defaultValue").asText());
    }
    return text.toString();
  }

  @Command(name = "set", description = "Switch to another scheduling strategy.")
  static final class Choose extends PoolCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name from 'imker strategy'.")
    String name = "";

    @Parameters(
        index = "1..*",
        arity = "0..*",
        paramLabel = "PARAMETER=VALUE",
        description = "Parameters that differ from the defaults.")
    List<String> parameters = List.of();

    @Override
    public int run(ApiClient api) {
      Map<String, Object> body = Map.of("name", name, "parameters", values());
      JsonNode answer = api.put(PATH, body);
      return show(answer, out -> out.println("strategy   " + answer.path("text").asText()));
    }

    private Map<String, String> values() {
      Map<String, String> values = new LinkedHashMap<>();
      for (String parameter : parameters) {
        int equals = parameter.indexOf('=');
        if (equals < 1) {
          throw new ImkerException("'" + parameter + "' does not have the form PARAMETER=VALUE.");
        }
        values.put(parameter.substring(0, equals), parameter.substring(equals + 1));
      }
      return values;
    }
  }
}
