package dev.imker.cli.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.jobs.AttestedTasks;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.options.ServerOptions;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.cli.terminal.SafeWriter;
import dev.imker.server.backup.PoolVerification;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code imker verify}: whether a backup, or a pool, is whole; and whether results are those that
 * the nodes which made them have signed.
 */
@Command(
    name = "verify",
    sortOptions = false,
    description = {
      "Verify the results of a job, a backup, or a pool.",
      "For a job: that its nodes signed what the pool says about its tasks, and that"
          + " the files are",
      "the signed ones (imker verify 12). For a backup or a pool: that it is complete,"
          + " its database",
      "is intact and every file matches its hash (imker verify /backup/pool)."
    })
public final class VerifyCommand implements Callable<Integer> {
  private static final Pattern JOB = Pattern.compile("\\d+(\\.\\d+)?(\\.\\.\\d+)?|last");

  @Spec @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "JOB|DIR",
      description =
          "Job or tasks (12, 12.3, 12.3..7, a name, last), backup, or data folder"
              + " (default: the pool of --db or --data).")
  @Nullable String what;

  @Option(
      names = "--key",
      paramLabel = "FINGERPRINT",
      description =
          "For a job: accept only signatures of this node key; repeatable. The owner of"
              + " a node sees it with 'imker agent status', an admin with 'imker nodes keys'.")
  List<String> keys = List.of();

  @Option(
      names = "--no-files",
      description = "For a job: check signatures only, download no files.")
  boolean noFiles;

  @Mixin PoolPlaceOptions place = new PoolPlaceOptions();
  @Mixin ServerOptions server = new ServerOptions();
  @Mixin OutputOptions output = new OutputOptions();

  @Override
  public Integer call() {
    String named = what;
    if (named == null) {
      return verifyPool(null);
    }
    boolean isFolder =
        !JOB.matcher(named).matches() && (named.contains("/") || Files.exists(Path.of(named)));
    return isFolder ? verifyPool(Path.of(named)) : verifyResults(named);
  }

  private PrintWriter out() {
    return SafeWriter.ofOutput(Objects.requireNonNull(spec).commandLine().getOut());
  }

  // ---------------------------------------------------------------- results

  private int verifyResults(String selector) {
    PrintWriter out = out();
    ArrayNode tasks = ApiClient.json().createArrayNode();
    Map<String, Integer> signers = new TreeMap<>();
    int[] counts = new int[2];
    try (ApiClient api = server.connect()) {
      AttestedTasks check = new AttestedTasks(api, new HashSet<>(keys), !noFiles);
      for (SelectedTasks.Part part : SelectedTasks.resolve(api, selector).parts()) {
        check.check(
            part,
            found -> {
              counts[found.isRight() ? 0 : 1]++;
              if (!found.key().isEmpty()) {
                signers.merge(found.node() + ", key " + found.key(), 1, Integer::sum);
              }
              if (output.json) {
                tasks.add(ApiClient.json().valueToTree(found));
              } else {
                found
                    .problems()
                    .forEach(words -> out.println("wrong: " + found.task() + ": " + words));
              }
            });
      }
    }
    if (output.json) {
      ObjectNode all = ApiClient.json().createObjectNode();
      all.put("right", counts[0]).put("wrong", counts[1]).set("tasks", tasks);
      OutputOptions.printJson(out, all);
    } else {
      signers.forEach((who, count) -> out.printf("signed by %s: %,d tasks%n", who, count));
      out.println(inWords(counts[0], counts[1]));
    }
    out.flush();
    return counts[0] > 0 && counts[1] == 0 ? ExitCodes.OK : ExitCodes.FAILED;
  }

  private static String inWords(int right, int wrong) {
    if (right + wrong == 0) {
      return "Nothing to verify: none of its tasks has finished.";
    }
    return wrong == 0
        ? "OK: all %,d tasks match what their nodes signed.".formatted(right)
        : "FAILED: %,d of %,d tasks do not match what their nodes signed."
            .formatted(wrong, right + wrong);
  }

  // ---------------------------------------------------------------- backups and pools

  private int verifyPool(@Nullable Path folder) {
    PrintWriter out = out();
    PoolVerification verification = new PoolVerification(line -> out.println("  " + line));
    PoolVerification.Report report;
    if (folder != null) {
      report = verification.ofFolder(folder.toAbsolutePath().normalize());
    } else if (place.url().isBlank()) {
      report = verification.ofFolder(place.folder());
    } else {
      report = verification.ofDatabase(place.url(), place.blobs.place(), place.folder());
    }
    report.problems().forEach(line -> out.println("damaged: " + line));
    out.printf(
        "%s: checked %d jobs, %d files, %d bytes.%n",
        report.problems().isEmpty() ? "Whole" : "Not whole",
        report.jobs(),
        report.files(),
        report.bytes());
    out.flush();
    return report.problems().isEmpty() ? ExitCodes.OK : ExitCodes.FAILED;
  }
}
