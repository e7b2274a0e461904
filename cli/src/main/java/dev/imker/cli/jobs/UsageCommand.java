package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.options.TaskWalk;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code imker usage}: what was used. */
@Command(
    name = "usage",
    description = {
      "Show processor time, run time and bytes that were used.",
      "What failed, was stopped or got lost counts as used, and is shown as wasted too."
    })
public final class UsageCommand extends PoolCommand {
  @Option(names = "--user", paramLabel = "NAME", description = "Only of this user.")
  @Nullable String user;

  @Option(names = "--by", paramLabel = "WHAT", description = "Also by node, day or project.")
  String by = "user";

  @Option(names = "--since", paramLabel = "DAY", description = "Only since a day (2026-01-31).")
  @Nullable String since;

  @Option(
      names = "--job",
      paramLabel = "ID",
      description = "What a job has used, or several: 12, 12..15, a name, last.")
  @Nullable String job;

  @Option(names = "--csv", description = "Print a CSV table.")
  boolean csv;

  @Override
  public int run(ApiClient api) {
    if (job != null) {
      return ofJobs(api, job);
    }
    StringBuilder path = new StringBuilder("/api/v1/usage?by=").append(ApiClient.encode(by));
    if (user != null) {
      path.append("&user=").append(ApiClient.encode(user));
    }
    if (since != null) {
      path.append("&since=").append(ApiClient.encode(since));
    }
    if (csv) {
      printCsv(api, path + "&format=csv");
      return ExitCodes.OK;
    }
    JsonNode answer = api.get(path.toString());
    return show(answer, out -> print(answer));
  }

  /** Sums up what is known of the attempts at all tasks of jobs. */
  private int ofJobs(ApiClient api, String selected) {
    ArrayNode all = ApiClient.json().createArrayNode();
    for (SelectedTasks.Part part : SelectedTasks.resolve(api, selected).parts()) {
      JobUsage usage = new JobUsage();
      new TaskWalk(api).each(part, false, task -> usage.add(api, task));
      all.add(usage.view(part.job()));
    }
    return show(
        all.size() == 1 ? all.get(0) : all,
        out -> {
          TextTable table =
              new TextTable(
                  "JOB",
                  "TASKS",
                  "ATTEMPTS",
                  "WASTED",
                  "CPU TIME",
                  "WASTED",
                  "RUN TIME",
                  "WASTED",
                  "OUT");
          for (JsonNode line : all) {
            table.add(
                line.path("job").asText(),
                line.path("tasks").asText(),
                line.path("attempts").asText(),
                line.path("wastedAttempts").asText(),
                time(line, "cpuMillis"),
                time(line, "wastedCpuMillis"),
                time(line, "wallMillis"),
                time(line, "wastedWallMillis"),
                Texts.bytes(line.path("bytesOut").asLong()));
          }
          table.print(out);
        });
  }

  private void printCsv(ApiClient api, String path) {
    try (InputStream body = api.open(path)) {
      out().print(new String(body.readAllBytes(), StandardCharsets.UTF_8));
      out().flush();
    } catch (IOException e) {
      throw new ImkerException("The server's answer was cut off: " + e.getMessage(), e);
    }
  }

  private void print(JsonNode answer) {
    boolean plain = by.equalsIgnoreCase("user");
    TextTable table =
        new TextTable(
            "USER",
            plain ? "" : by.toUpperCase(Locale.ROOT),
            "ATTEMPTS",
            "WASTED",
            "CPU TIME",
            "WASTED",
            "RUN TIME",
            "WASTED",
            "IN",
            "OUT");
    for (JsonNode line : answer.path("usage")) {
      table.add(
          line.path("user").asText(),
          line.path("group").asText(),
          line.path("attempts").asText(),
          line.path("wastedAttempts").asText(),
          time(line, "cpuMillis"),
          time(line, "wastedCpuMillis"),
          time(line, "wallMillis"),
          time(line, "wastedWallMillis"),
          Texts.bytes(line.path("bytesIn").asLong()),
          Texts.bytes(line.path("bytesOut").asLong()));
    }
    if (table.isEmpty()) {
      out().println("Nothing has been used so far.");
    } else {
      table.print(out());
    }
  }

  private static String time(JsonNode line, String field) {
    return Texts.duration(Duration.ofMillis(line.path(field).asLong()));
  }
}
