package dev.imker.cli.submit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.follow.Follow;
import dev.imker.cli.follow.FollowOptions;
import dev.imker.cli.options.JobFileSet;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.TextTable;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker kinds}: kinds of jobs that were added to the server. */
@Command(
    name = "kinds",
    description = {
      "List the job kinds installed on the server, with their fields.",
      "An admin installs kinds as jars in the server's folder 'kinds': docs/kinds.md."
    },
    subcommands = {KindsCommand.Run.class, KindsCommand.Results.class})
public final class KindsCommand extends PoolCommand {
  private static final String PATH = "/api/v1/kinds";

  @Override
  public int run(ApiClient api) {
    JsonNode answer = api.get(PATH);
    return show(
        answer,
        out -> {
          TextTable table =
              new TextTable("KIND", "FIELD", "TYPE", "DEFAULT", "WHAT")
                  .whenEmpty("No job kinds are installed on this server.");
          for (JsonNode kind : answer.path("kinds")) {
            table.add(kind.path("name").asText(), "", "", "", kind.path("description").asText());
            for (JsonNode field : kind.path("fields")) {
              table.add(
                  "",
                  field.path("name").asText(),
                  field.path("type").asText().toLowerCase(Locale.ROOT),
                  field.path("required").asBoolean()
                      ? "(required)"
                      : field.path("fallback").asText(),
                  field.path("description").asText());
            }
          }
          table.print(out);
        });
  }

  @Command(
      name = "run",
      sortOptions = false,
      description = {
        "Submit a job of a kind.",
        "For example: imker kinds run word-count text=book.txt top=10"
      })
  public static final class Run extends PoolCommand {
    @Option(names = "--print", description = "Print the job file instead of submitting it.")
    boolean print;

    @Mixin FollowOptions following = new FollowOptions();

    @Parameters(index = "0", paramLabel = "KIND", description = "Name of the kind.")
    String kind = "";

    @Parameters(
        index = "1..*",
        paramLabel = "FIELD=VALUE",
        description = "Values of its fields; @FILE reads the value from a file.")
    Map<String, String> values = new LinkedHashMap<>();

    @Override
    public int run(ApiClient connection) {
      following.check();
      ApiClient api = following.client(connection, err());
      ObjectNode body = ApiClient.json().createObjectNode();
      ObjectNode filled = body.putObject("values");
      values.forEach((field, value) -> filled.put(field, content(value)));
      JsonNode job = api.post(PATH + "/" + ApiClient.encode(kind), body).path("job");
      if (print) {
        return show(job, out -> out.println(job.toPrettyString()));
      }
      JobFileSet set =
          JobFileSet.of(
              kind, job.toString().getBytes(StandardCharsets.UTF_8), new RemoteDataSets(server));
      set.printFindings(err());
      if (!set.isValid()) {
        return ExitCodes.USAGE;
      }
      Follow follow = new Follow(api, out(), err(), output.json);
      return following.carryOut(follow, new JobSender(api).sendAll(set.jobs()));
    }
  }

  /** The text of a file, if it is named after an @. */
  private static String content(String value) {
    if (!value.startsWith("@")) {
      return value;
    }
    try {
      return Files.readString(Path.of(value.substring(1)));
    } catch (IOException e) {
      throw new ImkerException(value.substring(1) + " cannot be read: " + e.getMessage(), e);
    }
  }

  @Command(
      name = "results",
      description = "Show the main results of a job, as defined by its kind.")
  public static final class Results extends PoolCommand {
    private static final int MAX_SHOWN_BYTES = 64 << 10;

    @Parameters(index = "0", paramLabel = "JOB", description = "Job: 12, a name, last.")
    String id = "";

    @Override
    public int run(ApiClient api) {
      long job = SelectedTasks.resolve(api, id).parts().getFirst().job();
      JsonNode views = api.get("/api/v1/jobs/" + job + "/views");
      return show(
          views,
          out -> {
            if (views.path("files").isEmpty()) {
              out.println("Nothing to show: 'imker results " + job + "' lists all results.");
            }
            for (JsonNode file : views.path("files")) {
              out.println(
                  "%s  (%s of task %s)"
                      .formatted(
                          file.path("title").asText(),
                          file.path("file").asText(),
                          file.path("task").asText()));
              boolean text = Set.of("TEXT", "TABLE").contains(file.path("form").asText());
              if (text && file.path("size").asLong() <= MAX_SHOWN_BYTES) {
                out.println(content(api, file));
              }
            }
          });
    }

    private static String content(ApiClient api, JsonNode file) {
      try (InputStream content =
          api.open(
              "/api/v1/tasks/%s/results/%s"
                  .formatted(file.path("task").asText(), file.path("file").asText()))) {
        return new String(content.readAllBytes(), StandardCharsets.UTF_8).stripTrailing();
      } catch (IOException e) {
        return "(cannot be read: " + e.getMessage() + ")";
      }
    }
  }
}
