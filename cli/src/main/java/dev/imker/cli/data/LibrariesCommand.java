package dev.imker.cli.data;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import dev.imker.model.ImkerException;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.LibrarySeal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker libraries}: jars with Java tasks that planned jobs use by name. */
@Command(
    name = "libraries",
    description = "Manage task libraries: jars with Java tasks (docs/java.md).",
    subcommands = {
      LibrariesCommand.All.class,
      LibrariesCommand.Upload.class,
      LibrariesCommand.Remove.class
    })
public final class LibrariesCommand extends PoolCommand {
  private static final String PATH = "/api/v1/libraries";

  @Override
  public int run(ApiClient api) {
    return list(this, api);
  }

  private static int list(PoolCommand command, ApiClient api) {
    JsonNode answer = api.get(PATH);
    return command.table(
        answer,
        "libraries",
        new TextTable("NAME", "VERSION", "USER", "SIZE", "UPLOADED", "SIGNED", "ACTIONS")
            .whenEmpty("No task libraries. Upload one with: imker libraries upload FILE.jar"),
        (table, one) ->
            table.add(
                one.path("name").asText(),
                one.path("version").asText(),
                one.path("user").asText(),
                Texts.bytes(one.path("size").asLong()),
                Texts.time(one.path("uploaded")),
                one.path("signature").asText().isEmpty() ? "no" : "yes",
                Integer.toString(one.path("actions").size())));
  }

  @Command(name = "list", description = "List task libraries, oldest first.")
  static final class All extends PoolCommand {
    @Override
    public int run(ApiClient api) {
      return list(this, api);
    }
  }

  @Command(
      name = "upload",
      description = "Upload a jar with tasks; uploading identical content creates no new version.")
  static final class Upload extends PoolCommand {
    @Parameters(paramLabel = "FILE", description = "The jar.")
    @Nullable Path file;

    @Option(
        names = "--name",
        paramLabel = "NAME",
        description = "Name of the library (default: the file name without .jar).")
    @Nullable String name;

    @Option(
        names = "--version",
        paramLabel = "VERSION",
        description = "Its version (default: the next number).")
    @Nullable String version;

    @Option(
        names = "--sign",
        paramLabel = "KEY",
        description = "Sign the library with this key (see: imker key); needs --version.")
    @Nullable Path sign;

    @Override
    public int run(ApiClient api) {
      Path jar = Objects.requireNonNull(file);
      if (!Files.isRegularFile(jar)) {
        throw new ImkerException(jar + ": there is no such file.");
      }
      String called = name != null ? name : plainName(jar);
      InputFile described = InputFiles.describe(called, jar);
      String sha256 = described.blob().sha256();
      InputFiles.sendMissing(api, Map.of(sha256, jar));
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("sha256", sha256);
      if (version != null) {
        body.put("version", version);
      }
      if (sign != null) {
        if (version == null) {
          throw new ImkerException("--sign signs a specific version; name it with --version.");
        }
        String text = LibrarySeal.text(called, version, sha256);
        body.put("signature", SigningKey.read(sign).sign(text));
      }
      JsonNode answer = api.put(PATH + "/" + ApiClient.encode(called), body);
      return show(
          answer,
          out ->
              out.println(
                  "task library %s version %s: %d actions"
                      .formatted(
                          called, answer.path("version").asText(), answer.path("actions").size())));
    }

    private static String plainName(Path jar) {
      String text = String.valueOf(jar.getFileName());
      return text.replaceFirst("(?i)\\.jar$", "").replaceAll("[^\\p{L}\\p{N}_-]+", "-");
    }
  }

  @Command(name = "rm", description = "Delete a version; jobs that use it keep their copy.")
  static final class Remove extends PoolCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the library.")
    String name = "";

    @Parameters(index = "1", paramLabel = "VERSION", description = "Version to delete.")
    String version = "";

    @Override
    public int run(ApiClient api) {
      api.delete(PATH + "/" + ApiClient.encode(name) + "/" + ApiClient.encode(version));
      if (!output.json) {
        out().println("task library " + name + " version " + version + ": removed");
      }
      return ExitCodes.OK;
    }
  }
}
