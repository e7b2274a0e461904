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
      description = "Show progress until all is done, and the outputs of the tasks.")
  boolean wait;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description =
          "Fetch results into DIR (implies --wait): one sub-folder per task, named by its number or"
              + " by its parameters ('out/{seed}-{rate}'), and results.csv over all tasks.")
  public @Nullable String results;

  @Option(names = "--overwrite", description = "Let --results use a folder that is not empty.")
  boolean overwrite;

  @Option(
      names = {"-k", "--keep-order"},
      description = "Print outputs in the order of the tasks, not as they end.")
  public boolean keepOrder;

  @Option(
      names = "--as-ended",
      description = "Print outputs as tasks end (usual with ':::', -a and --each).")
  public boolean asEnded;

  @Option(
      names = "--tag",
      description = "Begin each line of output with the parameters of its task.")
  boolean tag;

  @Option(
      names = "--tail",
      description = "Print output while the tasks run; each line begins with the task's id.")
  boolean tail;

  @Option(
      names = "--joblog",
      paramLabel = "FILE",
      description = "Write a line about each task as it ends, as GNU parallel does.")
  public @Nullable Path jobLog;

  @Option(
      names = "--halt",
      paramLabel = "WHEN",
      description =
          "Stop early: now,fail=1 cancels all when one task failed; soon,fail=3 lets running ones"
              + " finish; also fail=10%%, success=1, done=100.")
  @Nullable String halt;

  /** Complains about what could not work, before anything is submitted. */
  public void check() {
    if (keepOrder && asEnded) {
      throw new ImkerException("--keep-order and --as-ended exclude each other.");
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
