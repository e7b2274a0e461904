package dev.imker.cli.submit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.data.SigningKey;
import dev.imker.cli.follow.Follow;
import dev.imker.cli.follow.FollowOptions;
import dev.imker.cli.options.JobFileSet;
import dev.imker.cli.options.ServerOptions;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.cli.terminal.SafeWriter;
import dev.imker.jobfile.Explanation;
import dev.imker.jobfile.JobFileSchema;
import dev.imker.model.ImkerException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imker submit}: jobs from files. */
@Command(
    name = "submit",
    sortOptions = false,
    description = "Submit job files (YAML, or tab-separated with ten fields).",
    footerHeading = "%nExamples:%n",
    footer = {
      "  imker submit job.yaml --wait --results out",
      "  imker submit job.yaml --check",
      "  imker submit job.yaml --set seed=1..5 --set priority=7",
      "",
      "docs/jobs.md describes the format; --schema prints a JSON Schema for editors.",
    })
public class SubmitCommand implements Callable<Integer> {
  @Mixin ServerOptions server = new ServerOptions();
  @Mixin OutputOptions output = new OutputOptions();
  @Spec @Nullable CommandSpec spec;

  @Option(names = "--check", description = "Only check for mistakes; needs no server.")
  boolean check;

  @Option(names = "--explain", description = "Show what would be created without submitting it.")
  boolean explain;

  @Option(names = "--schema", description = "Print the JSON Schema of job files.")
  boolean schema;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "Change a parameter or a field: seed=1..5, priority=7, env.LANG=C.")
  Map<String, String> settings = new LinkedHashMap<>();

  @Option(
      names = "--sign",
      paramLabel = "KEY",
      description = "Sign the jobs, for nodes that run only signed jobs (see: imker key).")
  @Nullable Path sign;

  @Mixin FollowOptions following = new FollowOptions();

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Job files; - is standard input.")
  List<String> files = new ArrayList<>();

  /** Whether all files are in the ten-field format. */
  boolean isTable() {
    return false;
  }

  @Override
  public final Integer call() {
    if (schema) {
      out().print(JobFileSchema.json());
      out().flush();
      return ExitCodes.OK;
    }
    if (files.isEmpty()) {
      throw new ImkerException("Nothing to submit. Name a job file: imker submit job.yaml");
    }
    JobFileSet set = JobFileSet.read(files, settings, isTable(), new RemoteDataSets(server));
    if (check || explain) {
      return show(set);
    }
    set.printFindings(err());
    return set.isValid() ? submit(set) : ExitCodes.USAGE;
  }

  private int submit(JobFileSet set) {
    following.check();
    try (ApiClient connection = server.connect()) {
      ApiClient api = following.client(connection, err());
      Follow follow = new Follow(api, out(), err(), output.json);
      SigningKey key = sign == null ? null : SigningKey.read(sign);
      List<JsonNode> views =
          new JobSender(api).sendAll(set.jobs(), job -> key == null ? job : key.seal(job));
      return following.carryOut(follow, views);
    }
  }

  private int show(JobFileSet set) {
    List<Explanation> plans = set.jobs().stream().map(Explanation::of).toList();
    if (output.json) {
      ObjectNode answer = ApiClient.json().createObjectNode();
      answer.put("valid", set.isValid());
      answer.set("findings", ApiClient.json().valueToTree(set.findings()));
      answer.set("jobs", ApiClient.json().valueToTree(plans));
      OutputOptions.printJson(out(), answer);
    } else {
      set.printFindings(err());
      if (explain) {
        PoolFit fit = PoolFit.of(server);
        for (int i = 0; i < plans.size(); i++) {
          ExplanationPage.print(plans.get(i), set.jobs().get(i).spec(), fit, out());
        }
      } else if (set.isValid()) {
        plans.forEach(plan -> out().println(ExplanationPage.title(plan) + ": no mistakes"));
      }
    }
    return set.isValid() ? ExitCodes.OK : ExitCodes.USAGE;
  }

  private PrintWriter out() {
    return SafeWriter.of(Objects.requireNonNull(spec).commandLine().getOut());
  }

  private PrintWriter err() {
    return Objects.requireNonNull(spec).commandLine().getErr();
  }

  @Command(
      name = "import-tsv",
      sortOptions = false,
      description = "Submit the tasks of a tab-separated file with ten fields per line.",
      footer = {"", "docs/jobs.md describes the format."})
  public static final class ImportTable extends SubmitCommand {
    @Override
    boolean isTable() {
      return true;
    }
  }
}
