package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code imker attach}: goes on where 'run --wait' was left. */
@Command(
    name = "attach",
    sortOptions = false,
    description = {
      "Follow jobs that were submitted earlier, as 'imker run --wait' does.",
      "Shows progress and the output of all tasks from the start. Ctrl-C detaches; the"
          + " jobs keep",
      "on."
    })
public final class AttachCommand extends PoolCommand {
  @Parameters(paramLabel = "ID", description = "Job: 12, 12..15, a name, last.")
  String id = "";

  @Mixin FollowOptions following = new FollowOptions();

  @Override
  public int run(ApiClient connection) {
    ApiClient api = connection.patient(err());
    List<JsonNode> views = new ArrayList<>();
    for (SelectedTasks.Part part : SelectedTasks.resolve(api, id).parts()) {
      views.add(api.get("/api/v1/jobs/" + part.job()));
    }
    following.wait = true;
    following.check();
    return following.carryOut(new Follow(api, out(), err(), output.json), views);
  }
}
