package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code imker notices}: who was told about a job. */
@Command(
    name = "notices",
    description = "Show who was notified that a job finished, and which notifications failed.",
    subcommands = NoticesCommand.Secret.class)
public final class NoticesCommand extends PoolCommand {
  @Parameters(arity = "0..1", paramLabel = "ID", description = "Job (default: last).")
  String id = "last";

  @Override
  public int run(ApiClient api) {
    long job = SelectedTasks.resolve(api, id).parts().getFirst().job();
    JsonNode answer = api.get("/api/v1/jobs/" + job + "/notices");
    return table(
        answer,
        "notices",
        new TextTable("BY", "TO", "STATE", "TRIES", "NEXT", "LAST ERROR")
            .whenEmpty("Nobody was notified about job " + job + ", or it is not finished yet."),
        (table, notice) ->
            table.add(
                notice.path("channel").asText(),
                notice.path("address").asText(),
                notice.path("state").asText(),
                notice.path("tries").asText(),
                notice.path("next").isTextual() ? Texts.time(notice.path("next")) : "-",
                notice.path("error").asText()));
  }

  @Command(name = "secret", description = "Print the key that signs the web hooks of your jobs.")
  static final class Secret extends PoolCommand {
    @Override
    public int run(ApiClient api) {
      JsonNode answer = api.get("/api/v1/notices/secret");
      return show(answer, out -> out.println(answer.path("secret").asText()));
    }
  }
}
