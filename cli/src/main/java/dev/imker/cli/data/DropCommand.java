package dev.imker.cli.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.ServerOptions;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.cli.terminal.TextTable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imker drop}: folders whose files become jobs. */
@Command(
    name = "drop",
    description = "Folders whose files become jobs (docs/drop-folder.md).",
    subcommands = {
      DropCommand.Add.class,
      DropCommand.Listing.class,
      DropCommand.Files.class,
      DropCommand.Remove.class
    })
public final class DropCommand implements Runnable {
  private static final String DRIVE = "drive:";

  @Spec @Nullable CommandSpec spec;

  @Override
  public void run() {
    CommandSpec command = Objects.requireNonNull(spec);
    command.commandLine().usage(command.commandLine().getOut());
  }

  /** What the commands have in common. */
  public abstract static class OnServer implements Callable<Integer> {
    @Mixin ServerOptions server = new ServerOptions();
    @Mixin OutputOptions output = new OutputOptions();
    @Spec @Nullable CommandSpec spec;

    public final PrintWriter out() {
      return Objects.requireNonNull(spec).commandLine().getOut();
    }

    public abstract int on(ApiClient api);

    @Override
    public final Integer call() {
      try (ApiClient api = server.connect()) {
        return on(api);
      }
    }
  }

  /** A folder is meant on this machine, wherever the command was given. */
  public static String place(String written) {
    return written.startsWith(DRIVE)
        ? written
        : Path.of(written).toAbsolutePath().normalize().toString();
  }

  /** {@code imker drop add}. */
  @Command(
      name = "add",
      description = "Watch a folder of the server's machine from now on, also after a restart.")
  static final class Add extends OnServer {
    @Parameters(
        paramLabel = "DIR",
        description = "Folder, or drive:ID for a folder on Google Drive.")
    String place = "";

    @Option(
        names = "--user",
        paramLabel = "NAME",
        description = "Whose jobs the files become (default: admin).")
    @Nullable String user;

    @Option(
        names = "--key",
        paramLabel = "FILE",
        description = "Key of a service account, for Google Drive.")
    @Nullable Path key;

    @Override
    public int on(ApiClient api) {
      ObjectNode body = ApiClient.json().createObjectNode().put("place", place(place));
      if (user != null) {
        body.put("user", user);
      }
      if (key != null) {
        body.put("key", key.toAbsolutePath().normalize().toString());
      }
      JsonNode added = api.post("/api/v1/drops", body);
      if (output.json) {
        OutputOptions.printJson(out(), added);
      } else {
        String where = added.path("place").asText();
        out().println("Files put into " + where + "/inbox become jobs.");
      }
      return ExitCodes.OK;
    }
  }

  /** {@code imker drop list}. */
  @Command(name = "list", description = "List the folders that are watched.")
  static final class Listing extends OnServer {
    @Override
    public int on(ApiClient api) {
      JsonNode folders = api.get("/api/v1/drops");
      if (output.json) {
        OutputOptions.printJson(out(), folders);
        return ExitCodes.OK;
      }
      TextTable table = new TextTable("NUMBER", "FOLDER", "USER", "OPEN", "TROUBLE");
      for (JsonNode folder : folders.path("folders")) {
        table.add(
            folder.path("number").asText(),
            folder.path("place").asText(),
            folder.path("user").asText(),
            folder.path("open").asText(),
            folder.path("trouble").asText());
      }
      table.print(out());
      return ExitCodes.OK;
    }
  }

  /** {@code imker drop files}. */
  @Command(name = "files", description = "List what was taken from a folder, newest first.")
  static final class Files extends OnServer {
    @Parameters(paramLabel = "NUMBER", description = "Number of the folder ('imker drop list').")
    int number;

    @Override
    public int on(ApiClient api) {
      JsonNode items = api.get("/api/v1/drops/" + number + "/items");
      if (output.json) {
        OutputOptions.printJson(out(), items);
        return ExitCodes.OK;
      }
      TextTable table = new TextTable("FILE", "STATE", "JOBS", "TAKEN", "CAUSE");
      for (JsonNode item : items.path("items")) {
        table.add(
            item.path("path").asText(),
            item.path("state").asText(),
            item.path("jobs").toString().replaceAll("[\\[\\]]", ""),
            item.path("taken").asText(),
            item.path("cause").asText().lines().findFirst().orElse(""));
      }
      table.print(out());
      return ExitCodes.OK;
    }
  }

  /** {@code imker drop remove}. */
  @Command(name = "remove", description = "Stop watching a folder; its jobs go on.")
  static final class Remove extends OnServer {
    @Parameters(paramLabel = "NUMBER", description = "Number of the folder ('imker drop list').")
    int number;

    @Override
    public int on(ApiClient api) {
      api.delete("/api/v1/drops/" + number);
      return ExitCodes.OK;
    }
  }
}
