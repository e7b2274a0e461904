package dev.imker.cli.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.TextTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imker drop}: folders whose files become jobs. */
@Command(
    name = "drop",
    description = "Manage drop folders, whose files become jobs (docs/drop-folder.md).",
    subcommands = {
      DropCommand.Add.class,
      DropCommand.Listing.class,
      DropCommand.Files.class,
      DropCommand.Remove.class
    })
public final class DropCommand implements Runnable {
  /** Places that are not on this machine. */
  private static final List<String> REMOTE = List.of("drive:", "dav:", "mail:");

  @Spec @Nullable CommandSpec spec;

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    command.commandLine().usage(command.commandLine().getOut());
  }

  /** A folder is meant on this machine, wherever the command was given. */
  public static String place(String written) {
    return REMOTE.stream().anyMatch(written::startsWith)
        ? written
        : Path.of(written).toAbsolutePath().normalize().toString();
  }

  @Command(
      name = "add",
      description = "Start watching a folder on the server; it is still watched after a restart.")
  static final class Add extends PoolCommand {
    @Parameters(
        paramLabel = "DIR",
        description =
            "Folder, drive:ID for a Google Drive folder, dav:https://HOST/PATH for a"
                + " WebDAV folder (for example Nextcloud), or mail:imaps://HOST/INBOX for a"
                + " mailbox.")
    String place = "";

    @Option(
        names = "--user",
        paramLabel = "NAME",
        description = "User who owns the resulting jobs (default: admin).")
    @Nullable String user;

    @Option(
        names = "--key",
        paramLabel = "FILE",
        description =
            "For Google Drive, the key of a service account; for WebDAV, a file with"
                + " NAME:PASSWORD; for a mailbox, a file that says who may use it.")
    @Nullable Path key;

    @Override
    public int run(ApiClient api) {
      ObjectNode body = ApiClient.json().createObjectNode().put("place", place(place));
      if (user != null) {
        body.put("user", user);
      }
      if (key != null) {
        body.put("key", key.toAbsolutePath().normalize().toString());
      }
      JsonNode added = api.post("/api/v1/drops", body);
      return show(
          added,
          out -> {
            String where = added.path("place").asText();
            out.println(
                where.startsWith("mail:")
                    ? "Mails with a job file attached become jobs: " + where
                    : "Files put into " + where + "/inbox become jobs.");
          });
    }
  }

  @Command(name = "list", description = "List the watched folders.")
  static final class Listing extends PoolCommand {
    @Override
    public int run(ApiClient api) {
      JsonNode folders = api.get("/api/v1/drops");
      return table(
          folders,
          "folders",
          new TextTable("NUMBER", "FOLDER", "USER", "OPEN", "TROUBLE"),
          (table, folder) ->
              table.add(
                  folder.path("number").asText(),
                  folder.path("place").asText(),
                  folder.path("user").asText(),
                  folder.path("open").asText(),
                  folder.path("trouble").asText()));
    }
  }

  @Command(name = "files", description = "List the files picked up from a folder, newest first.")
  static final class Files extends PoolCommand {
    @Parameters(
        paramLabel = "NUMBER",
        description = "Number of the folder (see 'imker drop list').")
    int number;

    @Override
    public int run(ApiClient api) {
      JsonNode items = api.get("/api/v1/drops/" + number + "/items");
      return table(
          items,
          "items",
          new TextTable("FILE", "STATE", "JOBS", "TAKEN", "CAUSE"),
          (table, item) ->
              table.add(
                  item.path("path").asText(),
                  item.path("state").asText(),
                  item.path("jobs").toString().replaceAll("[\\[\\]]", ""),
                  item.path("taken").asText(),
                  item.path("cause").asText().lines().findFirst().orElse("")));
    }
  }

  @Command(
      name = "remove",
      description = "Stop watching a folder; jobs already created keep running.")
  static final class Remove extends PoolCommand {
    @Parameters(
        paramLabel = "NUMBER",
        description = "Number of the folder (see 'imker drop list').")
    int number;

    @Override
    public int run(ApiClient api) {
      api.delete("/api/v1/drops/" + number);
      return ExitCodes.OK;
    }
  }
}
