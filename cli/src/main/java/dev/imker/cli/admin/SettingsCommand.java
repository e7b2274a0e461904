package dev.imker.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.KeyValues;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.TextTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code imker settings}: what an admin sets while the server runs. */
@Command(
    name = "settings",
    description = "Show or change server settings: mail, web hooks, task memory, logins.",
    subcommands = {SettingsCommand.Put.class, SettingsCommand.Unset.class})
public final class SettingsCommand extends PoolCommand {
  private static final String PATH = "/api/v1/settings";

  @Override
  public int run(ApiClient api) {
    return print(this, api.get(PATH));
  }

  private static int print(PoolCommand command, JsonNode answer) {
    return command.show(
        answer,
        out -> {
          TextTable table = new TextTable("SETTING", "VALUE", "WHAT");
          for (Map.Entry<String, JsonNode> known : answer.path("known").properties()) {
            table.add(
                known.getKey(),
                answer.path("settings").path(known.getKey()).asText("-"),
                known.getValue().asText());
          }
          table.print(out);
        });
  }

  @Command(name = "set", description = "Change settings.")
  static final class Put extends PoolCommand {
    @Parameters(
        arity = "1..*",
        paramLabel = "NAME=VALUE",
        description = "For example smtp.host=mail.")
    List<String> values = List.of();

    @Override
    public int run(ApiClient api) {
      return print(this, api.put(PATH, KeyValues.parse(values)));
    }
  }

  @Command(name = "unset", description = "Reset settings to their defaults.")
  static final class Unset extends PoolCommand {
    @Parameters(arity = "1..*", paramLabel = "NAME", description = "Names of the settings.")
    List<String> names = List.of();

    @Override
    public int run(ApiClient api) {
      Map<String, String> values = new LinkedHashMap<>();
      names.forEach(name -> values.put(name, ""));
      return print(this, api.put(PATH, values));
    }
  }
}
