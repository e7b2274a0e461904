package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.TimeSpan;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.cli.terminal.TerminalLine;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code imker top}: the pool as it works, on one page of a terminal. */
@Command(
    name = "top",
    description =
        "Show machines, throughput and unfinished jobs, refreshed until Ctrl-C; fits 80"
            + " columns.")
public final class TopCommand extends PoolCommand {
  private static final String HOME_AND_ERASE = "\u001b[H\u001b[J";
  private static final int WIDTH = 79;
  private static final int MAX_ROWS = 12;

  /** Moments of the pool, two seconds apart, over which rates are taken. */
  private static final int RATE_BEATS = 5;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = "Time between updates (default: ${DEFAULT-VALUE}).")
  String every = "2s";

  @Option(
      names = "--once",
      description = "Print once and exit; the default when the output is not a terminal.")
  boolean once;

  @Override
  public int run(ApiClient connection) {
    long pauseMillis = Math.max(200, TimeSpan.millis("--every", every, "s"));
    boolean live = !once && !output.json && TerminalLine.isOutputTerminal();
    ApiClient api = live ? connection.patient(err()) : connection;
    while (true) {
      JsonNode nodes = api.get("/api/v1/nodes");
      JsonNode jobs =
          api.get("/api/v1/jobs?status=RUNNING,QUEUED,WAITING,BLOCKED&limit=" + MAX_ROWS);
      JsonNode beats = api.get("/api/v1/overview").path("beats");
      if (output.json) {
        ObjectNode all = ApiClient.json().createObjectNode();
        all.set("nodes", nodes.path("nodes"));
        all.set("jobs", jobs.path("jobs"));
        all.put("tasksPerSecond", rate(beats, "done"));
        OutputOptions.printJson(out(), all);
        return ExitCodes.OK;
      }
      if (live) { // past the writer that shows such characters instead of sending them
        PrintWriter terminal = Objects.requireNonNull(spec).commandLine().getOut();
        terminal.print(HOME_AND_ERASE);
        terminal.flush();
      }
      out().print(page(nodes, jobs, beats));
      out().flush();
      if (!live) {
        return ExitCodes.OK;
      }
      LockSupport.parkNanos(pauseMillis * 1_000_000);
    }
  }

  private static String page(JsonNode nodes, JsonNode jobs, JsonNode beats) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    long slots = 0;
    long busy = 0;
    long connected = 0;
    TextTable machines = new TextTable("MACHINE", "BUSY", "SLOTS", "SYSTEM");
    int rows = 0;
    for (JsonNode node : nodes.path("nodes")) {
      if (node.path("connected").asBoolean()) {
        connected++;
        slots += node.path("slots").asLong();
        busy += node.path("running").asLong();
        if (rows++ < MAX_ROWS) {
          machines.add(
              Texts.shorten(node.path("name").asText(), 32),
              node.path("running").asText(),
              node.path("slots").asText(),
              node.at("/platform/os").asText() + " " + node.at("/platform/arch").asText());
        }
      }
    }
    out.printf(
        "%d of %d slots busy on %d %s%n",
        busy, slots, connected, connected == 1 ? "machine" : "machines");
    out.printf(
        Locale.ROOT,
        "%,d tasks queued, %.1f done and %.1f failed per second%n%n",
        beats.path(beats.size() - 1).path("queued").asLong(),
        rate(beats, "done"),
        rate(beats, "failed"));
    machines.print(out);
    if (rows > MAX_ROWS) {
      out.println("… " + (rows - MAX_ROWS) + " more");
    }
    out.println();
    TextTable work = new TextTable("JOB", "NAME", "USER", "STATUS", "DONE", "TASKS", "RUNNING");
    for (JsonNode job : jobs.path("jobs")) {
      work.add(
          job.path("id").asText(),
          Texts.shorten(job.path("name").asText(), 24),
          Texts.shorten(job.path("user").asText(), 12),
          job.path("status").asText(),
          job.at("/counts/done").asText(),
          job.path("tasks").asText(),
          job.at("/counts/running").asText());
    }
    if (work.isEmpty()) {
      out.println("No unfinished jobs.");
    } else {
      work.print(out);
    }
    out.flush();
    StringBuilder cut = new StringBuilder();
    text.toString().lines().forEach(line -> cut.append(Texts.shorten(line, WIDTH)).append('\n'));
    return cut.toString();
  }

  /** How much a count grew a second in the last ten seconds. */
  static double rate(JsonNode beats, String count) {
    JsonNode last = beats.path(beats.size() - 1);
    JsonNode first = beats.path(Math.max(0, beats.size() - 1 - RATE_BEATS));
    long millis = last.path("atMillis").asLong() - first.path("atMillis").asLong();
    long grown = last.path(count).asLong() - first.path(count).asLong();
    return millis <= 0 ? 0 : Math.max(0, grown * 1000.0 / millis);
  }
}
