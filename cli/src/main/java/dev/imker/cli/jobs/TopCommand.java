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
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code imker top}: the pool as it works, on one page of a terminal. */
@Command(
    name = "top",
    description = "Show machines and unfinished jobs, refreshed until Ctrl-C; fits 80 columns.")
public final class TopCommand extends PoolCommand {
  private static final String HOME_AND_ERASE = "\u001b[H\u001b[J";
  private static final int WIDTH = 79;
  private static final int MAX_ROWS = 12;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      description = "Time between updates (default: ${DEFAULT-VALUE}).")
  String every = "2s";

  @Option(
      names = "--once",
      description = "Show once; the default when the output is not a terminal.")
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
      if (output.json) {
        ObjectNode all = ApiClient.json().createObjectNode();
        all.set("nodes", nodes.path("nodes"));
        all.set("jobs", jobs.path("jobs"));
        OutputOptions.printJson(out(), all);
        return ExitCodes.OK;
      }
      out().print((live ? HOME_AND_ERASE : "") + page(nodes, jobs));
      out().flush();
      if (!live) {
        return ExitCodes.OK;
      }
      LockSupport.parkNanos(pauseMillis * 1_000_000);
    }
  }

  private static String page(JsonNode nodes, JsonNode jobs) {
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
        "%d of %d slots busy on %d %s%n%n",
        busy, slots, connected, connected == 1 ? "machine" : "machines");
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
}
