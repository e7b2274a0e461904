package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.model.ImkerException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a command that submits jobs waits for them, and what it shows meanwhile. */
public final class FollowOptions {
  @Option(
      names = "--wait",
      description = "Wait until the job is finished, showing progress and the output of its tasks.")
  boolean wait;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description =
          "Download results into DIR (implies --wait): one subfolder per task, named by"
              + " its number or its parameters ('out/{seed}-{rate}'), and a results.csv"
              + " covering all tasks.")
  public @Nullable String results;

  @Option(names = "--overwrite", description = "Allow --results to use a folder that is not empty.")
  boolean overwrite;

  @Option(
      names = {"-k", "--keep-order"},
      description = "Print output in task order, not as tasks finish.")
  public boolean keepOrder;

  @Option(
      names = "--as-ended",
      description = "Print output as tasks finish (the default with ':::', -a and --each).")
  public boolean asEnded;

  @Option(
      names = "--tag",
      description = "Prefix each line of output with the parameters of its task.")
  boolean tag;

  @Option(
      names = "--tail",
      description = "Print output while tasks run, each line prefixed with the task's id.")
  boolean tail;

  @Option(
      names = "--joblog",
      paramLabel = "FILE",
      description = "Write one line per finished task, in the format of GNU parallel.")
  public @Nullable Path jobLog;

  @Option(
      names = "--halt",
      paramLabel = "WHEN",
      description =
          "Stop early: now,fail=1 cancels everything once one task fails; soon,fail=3"
              + " lets running tasks finish; also fail=10%%, success=1, done=100.")
  @Nullable String halt;

  /** Complains about what could not work, before anything is submitted. */
  public void check() {
    if (keepOrder && asEnded) {
      throw new ImkerException("--keep-order and --as-ended cannot be combined.");
    }
    if (halt != null) {
      HaltRule.parse(halt);
    }
    if (results != null) {
      ResultsFolder.requireUsable(ResultNames.parse(results), 0, overwrite);
    }
  }

  /** How the command talks to the pool: one that waits for jobs waits for the pool as well. */
  public ApiClient client(ApiClient connection, PrintWriter err) {
    return waits() ? connection.patient(err) : connection;
  }

  public boolean waits() {
    return wait || results != null || tail || jobLog != null || halt != null;
  }

  /** Waits for the jobs, or says where to look for them; returns the exit code. */
  public int carryOut(Follow follow, List<JsonNode> views) {
    follow.warn(views);
    return waits() ? follow.await(views, this) : follow.announce(views);
  }
}
