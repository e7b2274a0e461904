package dev.imker.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.Sizes;
import dev.imker.cli.options.TimeSpan;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import dev.imker.model.ImkerException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code imker retention}: how long finished work is kept. */
@Command(
    name = "retention",
    description = "Show or change how long finished jobs and their files are kept.",
    subcommands = {
      RetentionCommand.Show.class,
      RetentionCommand.Change.class,
      RetentionCommand.Run.class
    })
public final class RetentionCommand extends PoolCommand {
  private static final String PATH = "/api/v1/retention";

  @Override
  public int run(ApiClient api) {
    return print(this, api.get(PATH));
  }

  private static int print(PoolCommand command, JsonNode answer) {
    return command.show(
        answer,
        out -> {
          TextTable table = new TextTable("FOR", "DONE", "FAILED", "FILES", "AUDIT");
          row(table, "all", answer.path("rules"));
          answer
              .path("users")
              .properties()
              .forEach(user -> row(table, user.getKey(), user.getValue()));
          table.print(out);
        });
  }

  private static void row(TextTable table, String whose, JsonNode rules) {
    JsonNode bytes = rules.path("maxBytes");
    table.add(
        whose,
        days(rules.path("doneDays")),
        days(rules.path("failedDays")),
        bytes.isNumber() ? "at most " + Texts.bytes(bytes.asLong()) : "no limit",
        days(rules.path("auditDays")));
  }

  private static String days(JsonNode days) {
    return days.isNumber() ? days.asText() + " days" : "for ever";
  }

  @Command(name = "show", description = "Show the retention rules.")
  static final class Show extends PoolCommand {
    @Override
    public int run(ApiClient api) {
      return print(this, api.get(PATH));
    }
  }

  @Command(name = "set", sortOptions = false, description = "Change the retention rules.")
  static final class Change extends PoolCommand {
    @Option(
        names = "--done",
        paramLabel = "TIME",
        description = "Keep done and cancelled jobs this long: 30d, 12w, or none for no limit.")
    @Nullable String done;

    @Option(names = "--failed", paramLabel = "TIME", description = "Keep failed jobs this long.")
    @Nullable String failed;

    @Option(
        names = "--size",
        paramLabel = "SIZE",
        description =
            "Keep at most this much on disk, for example 500G; the oldest jobs are"
                + " deleted first.")
    @Nullable String size;

    @Option(names = "--audit", paramLabel = "TIME", description = "Keep the audit log this long.")
    @Nullable String audit;

    @Option(names = "--user", paramLabel = "NAME", description = "Only for this user.")
    @Nullable String user;

    @Override
    public int run(ApiClient api) {
      Map<String, Object> body = new LinkedHashMap<>();
      put(body, "doneDays", "--done", done);
      put(body, "failedDays", "--failed", failed);
      put(body, "auditDays", "--audit", audit);
      if (size != null) {
        body.put("maxBytes", Sizes.parse("--size", size));
      }
      if (body.isEmpty()) {
        throw new ImkerException("Say what to change: --done, --failed, --size or --audit.");
      }
      if (user != null) {
        body.put("user", user);
      }
      return print(this, api.put(PATH, body));
    }

    private static void put(
        Map<String, Object> body, String field, String option, @Nullable String text) {
      if (text == null) {
        return;
      }
      body.put(field, text.equals("none") ? -1 : TimeSpan.days(option, text));
    }
  }

  @Command(name = "run", description = "Apply the rules now; the server also does so once a day.")
  static final class Run extends PoolCommand {
    @Option(names = "--dry-run", description = "Only show what would be deleted.")
    boolean dryRun;

    /** A submission under way takes minutes, and its files are not yet those of a job. */
    private static final int MIN_GRACE = 10;

    @Option(
        names = "--grace",
        paramLabel = "MINUTES",
        description =
            "Keep unreferenced files this long (default: ${DEFAULT-VALUE}, a day; at"
                + " least 10). On a full disk, a shorter time frees recently stored files"
                + " too.")
    int graceMinutes = 1440;

    @Option(names = "--now", description = "Free files on a full disk now; same as --grace 10.")
    boolean now;

    @Override
    public int run(ApiClient api) {
      JsonNode report =
          api.post(
              PATH + "/run",
              Map.of("dryRun", dryRun, "graceMinutes", now ? MIN_GRACE : graceMinutes));
      return show(
          report,
          out -> {
            TextTable table =
                new TextTable("JOB", "NAME", "USER", "STATUS", "FINISHED", "FILES", "WHY");
            for (JsonNode job : report.path("jobs")) {
              table.add(
                  job.path("job").asText(),
                  job.path("name").asText(),
                  job.path("user").asText(),
                  job.path("status").asText(),
                  Texts.time(job.path("settled")),
                  Texts.bytes(job.path("bytes").asLong()),
                  job.path("why").asText());
            }
            if (!table.isEmpty()) {
              table.print(out);
            }
            out.printf(
                "%s %d jobs and %d files that nothing needs, %s.%n",
                dryRun ? "Would remove" : "Removed",
                report.path("jobCount").asLong(),
                report.path("blobs").asLong(),
                Texts.bytes(report.path("bytes").asLong()));
          });
    }
  }
}
