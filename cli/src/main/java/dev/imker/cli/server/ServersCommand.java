package dev.imker.cli.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.ApiException;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.TextTable;
import dev.imker.client.context.NoServerException;
import dev.imker.model.ImkerException;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker servers}: the servers of the pool. */
@Command(
    name = "servers",
    description = "List the servers of the pool; 'drain' hands leadership to another one.",
    subcommands = {ServersCommand.Drain.class, ServersCommand.Certificate.class})
public final class ServersCommand extends PoolCommand {
  private static final String PATH = "/api/v1/servers";

  @Override
  public int run(ApiClient api) {
    JsonNode answer = api.get(PATH);
    return show(answer, out -> print(this, answer));
  }

  private static void print(PoolCommand command, JsonNode answer) {
    TextTable table =
        new TextTable("SERVER", "ROLE", "VERSION", "EPOCH", "STARTED", "HEARD OF", "BEHIND");
    for (JsonNode server : answer.path("servers")) {
      table.add(
          server.path("urls").path(0).asText(),
          role(server),
          server.path("version").asText(),
          server.path("epoch").asText(),
          server.path("started").asText(""),
          server.path("silentMillis").asLong() / 1000 + " s ago",
          server.path("leads").asBoolean() ? "" : server.path("behindMillis").asLong() + " ms");
    }
    table.print(command.out());
  }

  private static String role(JsonNode server) {
    if (!server.path("running").asBoolean()) {
      return "gone";
    }
    String role = server.path("leads").asBoolean() ? "leads" : "standby";
    return server.path("drained").asBoolean() ? role + ", drained" : role;
  }

  @Command(
      name = "drain",
      description =
          "Hand leadership over to another server and wait until it leads. Use this"
              + " before stopping a server or its machine.")
  static final class Drain extends PoolCommand {
    @Parameters(paramLabel = "URL", description = "Name from 'imker servers'.")
    String url = "";

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(200);

    @Option(names = "--undo", description = "Allow it to lead again.")
    boolean undo;

    private static boolean isLedByAnother(JsonNode answer) {
      for (JsonNode server : answer.path("servers")) {
        if (server.path("leads").asBoolean()
            && server.path("running").asBoolean()
            && !server.path("drained").asBoolean()) {
          return true;
        }
      }
      return false;
    }

    private static JsonNode look(ApiClient api) {
      try {
        Thread.sleep(PAUSE);
        return api.get(PATH);
      } catch (InterruptedException e) {
        throw new ImkerException("Interrupted; the server still hands over leadership.", e);
      } catch (ApiException | NoServerException e) {
        return MissingNode.getInstance(); // nobody leads at this moment
      }
    }

    @Override
    public int run(ApiClient api) {
      JsonNode answer = api.post(PATH + "/drain", Map.of("url", url, "drained", !undo));
      long begun = System.nanoTime();
      while (!undo && !isLedByAnother(answer)) {
        if (System.nanoTime() - begun > MAX_WAIT.toNanos()) {
          throw new ImkerException(
              "No other server took over within "
                  + MAX_WAIT.toSeconds()
                  + " seconds. Check 'imker servers' before you stop this one.");
        }
        answer = look(api);
      }
      JsonNode last = answer;
      return show(last, out -> print(this, last));
    }
  }

  @Command(
      name = "certificate",
      description =
          "Show when the server's certificate expires; it is renewed 90 days before that.")
  static final class Certificate extends PoolCommand {
    private static final String PATH = "/api/v1/certificate";

    @Option(
        names = "--renew",
        description =
            "Renew the server's certificate now. Connections stay open, and agents need"
                + " no new token.")
    boolean renew;

    @Option(
        names = "--new-authority",
        description =
            "Create a new certificate authority for the pool, and new certificates for"
                + " all servers within two minutes. Clients that trust the old authority"
                + " learn about the new one.")
    boolean replace;

    @Option(
        names = "--forget-old-authority",
        description =
            "Stop trusting earlier authorities: anyone who has not connected since the"
                + " change needs a new join token or login.")
    boolean forget;

    private JsonNode order(ApiClient api) {
      if (replace && forget) {
        throw new ImkerException(
            "Use either --new-authority or --forget-old-authority, and wait some days"
                + " between them.");
      }
      String authority = replace ? "replace" : forget ? "forget-previous" : "keep";
      return renew || replace || forget
          ? api.post(PATH + "/renew", Map.of("authority", authority))
          : api.get(PATH);
    }

    @Override
    public int run(ApiClient api) {
      JsonNode answer = order(api);
      return show(
          answer,
          out -> {
            out.println("expires    " + answer.path("expires").asText());
            out.println("issued     " + answer.path("issued").asText());
            out.println("authority  " + answer.path("authority").asText() + " (SHA-256)");
          });
    }
  }
}
