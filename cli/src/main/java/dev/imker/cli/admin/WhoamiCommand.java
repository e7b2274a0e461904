package dev.imker.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.Texts;
import picocli.CommandLine.Command;

/** {@code imker whoami}: who the server takes these commands for. */
@Command(name = "whoami", description = "Show the account you are logged in as, and its quota.")
public final class WhoamiCommand extends PoolCommand {
  @Override
  public int run(ApiClient api) {
    JsonNode me = api.get("/api/v1/me");
    return show(
        me,
        out -> {
          JsonNode quota = me.path("quota");
          out.println("user     " + me.path("user").asText() + " at " + api.url());
          out.println("role     " + me.path("role").asText());
          out.println("tasks    " + me.path("liveTasks").asLong() + of(quota.path("tasks"), false));
          out.println(
              "storage  "
                  + Texts.bytes(me.path("storageBytes").asLong())
                  + of(quota.path("storageBytes"), true));
          if (quota.path("slots").isNumber()) {
            out.println("slots    at most " + quota.path("slots").asLong() + " at a time");
          }
        });
  }

  private static String of(JsonNode limit, boolean bytes) {
    if (!limit.isNumber()) {
      return "";
    }
    return " of " + (bytes ? Texts.bytes(limit.asLong()) : limit.asText());
  }
}
