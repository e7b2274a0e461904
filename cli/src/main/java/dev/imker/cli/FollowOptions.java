package dev.imker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a command that submits jobs waits for them. */
final class FollowOptions {
  @Option(names = "--wait", description = "Show progress until all is done, then the outputs.")
  boolean wait;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "Fetch results into DIR, one sub-folder per task (implies --wait).")
  @Nullable Path results;

  /** Waits for the jobs, or says where to look for them; returns the exit code. */
  int carryOut(Follow follow, List<JsonNode> views) {
    return wait || results != null ? follow.await(views, results) : follow.announce(views);
  }
}
