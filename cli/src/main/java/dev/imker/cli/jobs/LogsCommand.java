package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.TaskOutput;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.options.TaskWalk;
import dev.imker.cli.terminal.Background;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker logs}: what tasks wrote, also while they run. */
@Command(
    name = "logs",
    description =
        "Print what tasks wrote to standard output and standard error. What a Java task"
            + " prints goes to its standard error; its standard output holds its encoded"
            + " value and is only shown with --stdout.")
public final class LogsCommand extends PoolCommand {
  @Parameters(
      paramLabel = "ID",
      description = "Task or job: 12.3, 12.3..7, 12 (all its tasks), a name, last, last.3.")
  String id = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Keep printing until the task ends.")
  boolean follow;

  @Option(names = "--stdout", description = "Standard output only.")
  boolean onlyStdout;

  @Option(names = "--stderr", description = "Standard error only.")
  boolean onlyStderr;

  @Override
  public int run(ApiClient connection) {
    ApiClient api = follow ? connection.patient(err()) : connection;
    List<SelectedTasks.Part> parts = SelectedTasks.resolve(api, id).parts();
    boolean many = parts.size() > 1 || !parts.getFirst().isSingleTask();
    if (output.json) {
      printAsJson(api, parts);
      return ExitCodes.OK;
    }
    for (SelectedTasks.Part part : parts) {
      boolean value = isValue(api, part);
      for (int number = part.first(); number <= part.last(); number++) {
        if (many) {
          err().println("── " + part.job() + "." + number);
          err().flush();
        }
        print(api, part.job() + "." + number, value);
      }
    }
    return ExitCodes.OK;
  }

  private void printAsJson(ApiClient api, List<SelectedTasks.Part> parts) {
    var tasks = ApiClient.json().createArrayNode();
    for (SelectedTasks.Part part : parts) {
      boolean value = isValue(api, part);
      new TaskWalk(api)
          .each(
              part,
              true,
              task -> {
                var node = tasks.addObject();
                node.set("id", task.path("id"));
                if (!onlyStderr && !value) {
                  node.put("stdout", text(api, task, "stdout"));
                }
                if (!onlyStdout) {
                  node.put("stderr", text(api, task, "stderr"));
                }
              });
    }
    OutputOptions.printJson(out(), tasks);
  }

  /** Whether what tasks leave as standard output is nothing to read, unless somebody wants it. */
  private boolean isValue(ApiClient api, SelectedTasks.Part part) {
    return !onlyStdout
        && api.get("/api/v1/jobs/" + part.job()).path("kind").asText().equals("JAVA");
  }

  /** A long one is not in the list of tasks and has to be fetched. */
  private static String text(ApiClient api, JsonNode task, String stream) {
    JsonNode text = task.path(stream + "Text");
    if (text.isTextual() || task.path(stream).path("size").asLong() == 0) {
      return text.asText("");
    }
    String path = "/api/v1/tasks/" + task.path("id").asText() + "/" + stream;
    try (InputStream body = api.open(path)) {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new ImkerException("Cannot read " + path + ": " + e.getMessage(), e);
    }
  }

  /** Both streams are followed at once; without following, one after the other keeps the order. */
  private void print(ApiClient api, String task, boolean value) {
    List<Background<Boolean>> copies = new ArrayList<>();
    if (!onlyStderr && !value) {
      copy(new TaskOutput(api, task, "stdout", follow), System.out, copies);
    }
    if (!onlyStdout) {
      copy(new TaskOutput(api, task, "stderr", follow), System.err, copies);
    }
    copies.forEach(Background::join);
  }

  private void copy(TaskOutput source, PrintStream target, List<Background<Boolean>> copies) {
    if (follow) {
      copies.add(
          Background.run(
              () -> {
                source.copyTo(target);
                return true;
              }));
    } else {
      source.copyTo(target);
    }
  }
}
