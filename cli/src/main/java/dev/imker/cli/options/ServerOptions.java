package dev.imker.cli.options;

import dev.imker.cli.api.ApiClient;
import dev.imker.client.context.PoolContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every command that talks to a server. */
public final class ServerOptions {
  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "Server to use, or several, comma-separated (default: $IMKER_URL, or the one"
              + " 'imker up' started).")
  public @Nullable String server;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description = "Token for the server (default: $IMKER_TOKEN, or the one 'imker up' wrote).")
  @Nullable String token;

  public ApiClient connect() {
    return new ApiClient(PoolContext.find(server, token, System.getenv()));
  }
}
