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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code imker usage}: what was used. */
@Command(
    name = "usage",
    description = {
      "Show CPU time, run time, cores, GPUs, memory and bytes used.",
      "Failed, stopped and lost attempts count as used, and are also shown as wasted."
    })
public final class UsageCommand extends PoolCommand {
  @Option(names = "--user", paramLabel = "NAME", description = "Only usage of this user.")
  @Nullable String user;

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      description =
          "Group by any of user, project, node, day, comma-separated (default:"
              + " ${DEFAULT-VALUE}).")
  String by = "user";

  @Option(
      names = "--since",
      paramLabel = "DAY",
      description = "Only usage since this date (2026-01-31).")
  @Nullable String since;

  @Option(
      names = "--job",
      paramLabel = "ID",
      description = "Usage of one or more jobs: 12, 12..15, a name, last.")
  @Nullable String job;

  @Option(names = "--csv", description = "Print CSV.")
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
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("JOB", line -> line.path("job").asText()));
    columns.add(new Column("TASKS", line -> line.path("tasks").asText()));
    columns.addAll(RUNS);
    columns.add(size("OUT", "bytesOut"));
    return show(all.size() == 1 ? all.get(0) : all, out -> table(columns, all).print(out));
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
    List<Column> columns = new ArrayList<>();
    for (String group : answer.path("by").asText().split(",", -1)) {
      columns.add(new Column(group.toUpperCase(Locale.ROOT), line -> line.path(group).asText()));
    }
    columns.addAll(RUNS);
    columns.add(time("CORE TIME", "coreMillis"));
    columns.add(time("GPU TIME", "gpuMillis"));
    columns.add(new Column("MEMORY", UsageCommand::gigabyteHours));
    columns.add(size("IN", "bytesIn"));
    columns.add(size("OUT", "bytesOut"));
    table(columns, answer.path("usage")).whenEmpty("Nothing has been used so far.").print(out());
  }

  // ---------------------------------------------------------------- columns

  private record Column(String title, Function<JsonNode, String> cell) {}

  private static final List<Column> RUNS =
      List.of(
          new Column("ATTEMPTS", line -> line.path("attempts").asText()),
          new Column("WASTED", line -> line.path("wastedAttempts").asText()),
          time("CPU TIME", "cpuMillis"),
          time("WASTED", "wastedCpuMillis"),
          time("RUN TIME", "wallMillis"),
          time("WASTED", "wastedWallMillis"));

  private static Column time(String title, String field) {
    return new Column(title, line -> Texts.duration(Duration.ofMillis(line.path(field).asLong())));
  }

  private static Column size(String title, String field) {
    return new Column(title, line -> Texts.bytes(line.path(field).asLong()));
  }

  private static String gigabyteHours(JsonNode line) {
    double hours = line.path("memoryMbSeconds").asLong() / 1024.0 / 3600;
    return String.format(Locale.ROOT, hours < 10 ? "%.2f GB·h" : "%.0f GB·h", hours);
  }

  private static TextTable table(List<Column> columns, Iterable<JsonNode> lines) {
    TextTable table = new TextTable(columns.stream().map(Column::title).toArray(String[]::new));
    for (JsonNode line : lines) {
      table.add(columns.stream().map(column -> column.cell().apply(line)).toArray());
    }
    return table;
  }
}
