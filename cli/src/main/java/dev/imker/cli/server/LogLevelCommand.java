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
    description = "Show or change the log level of a running server, until it stops.")
final class LogLevelCommand extends PoolCommand {
  private static final String PATH = "/api/v1/log-level";

  @Parameters(
      arity = "0..1",
      paramLabel = "LEVEL",
      description = "error, warn, info, debug or trace (default: show the current level).")
  @Nullable String level;

  @Option(
      names = "--logger",
      paramLabel = "NAME",
      description = "Only this logger, for example dev.imker.coord (default: ${DEFAULT-VALUE}).")
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
