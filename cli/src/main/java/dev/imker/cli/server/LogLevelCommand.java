package dev.imker.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker server log-level}: more or less in the log of a server that runs. */
@Command(
    name = "log-level",
    description = "Show or change how much a running server writes to its log, until it stops.")
final class LogLevelCommand extends PoolCommand {
  private static final String PATH = "/api/v1/log-level";

  @Parameters(
      arity = "0..1",
      paramLabel = "LEVEL",
      description = "error, warn, info, debug or trace; without it, the present one is shown.")
  @Nullable String level;

  @Option(
      names = "--logger",
      paramLabel = "NAME",
      description = "Only this part, such as dev.imker.coord (default: ${DEFAULT-VALUE}).")
  String logger = "dev.imker";

  @Override
  public int run(ApiClient api) {
    JsonNode answer =
        level == null
            ? api.get(PATH + "?logger=" + ApiClient.encode(logger))
            : api.put(PATH, Map.of("logger", logger, "level", level));
    return show(
        answer,
        out -> out.println(answer.path("logger").asText() + " " + answer.path("level").asText()));
  }
}
