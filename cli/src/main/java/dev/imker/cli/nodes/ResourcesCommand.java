package dev.imker.cli.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code imker resources}: what exists once for all machines. */
@Command(
    name = "resources",
    description = {
      "Show or change resources shared by all machines, such as licences or database"
          + " connections.",
      "Tasks reserve them with 'imker run --resource NAME=1'. 'imker nodes' shows the"
          + " resources of single machines."
    },
    subcommands = {ResourcesCommand.Put.class, ResourcesCommand.Remove.class})
public final class ResourcesCommand extends PoolCommand {
  private static final String PATH = "/api/v1/resources";

  @Override
  public int run(ApiClient api) {
    return print(this, api.get(PATH));
  }

  private static int print(PoolCommand command, JsonNode answer) {
    return command.show(
        answer,
        out -> {
          TextTable table =
              new TextTable("NAME", "AMOUNT", "USED", "BY")
                  .whenEmpty(
                      "No shared resources. Add one with 'imker resources set NAME AMOUNT'.");
          for (JsonNode resource : answer.path("resources")) {
            table.add(
                resource.path("name").asText(),
                AmountWords.number(resource.path("amount")),
                AmountWords.number(resource.path("used")),
                users(resource.path("usedBy")));
          }
          table.print(out);
        });
  }

  private static String users(JsonNode holders) {
    List<String> all = new ArrayList<>();
    for (JsonNode holder : holders) {
      all.add(
          "%s/%s %s"
              .formatted(
                  holder.path("user").asText(),
                  holder.path("project").asText(),
                  AmountWords.number(holder.path("amount"))));
    }
    return all.isEmpty() ? "-" : String.join(", ", all);
  }

  @Command(
      name = "set",
      description = "Set the amount of a shared resource; running tasks keep what they have.")
  static final class Put extends PoolCommand {
    @Parameters(
        index = "0",
        paramLabel = "NAME",
        description = "Name of the resource, for example matlab-licences.")
    String name = "";

    @Parameters(index = "1", paramLabel = "AMOUNT", description = "Total amount in the pool.")
    double amount;

    @Override
    public int run(ApiClient api) {
      return print(this, api.put(PATH + "/" + ApiClient.encode(name), Map.of("amount", amount)));
    }
  }

  @Command(name = "remove", description = "Delete a shared resource.")
  static final class Remove extends PoolCommand {
    @Parameters(
        paramLabel = "NAME",
        description = "Name of the resource, for example matlab-licences.")
    String name = "";

    @Override
    public int run(ApiClient api) {
      api.delete(PATH + "/" + ApiClient.encode(name));
      return print(this, api.get(PATH));
    }
  }
}
