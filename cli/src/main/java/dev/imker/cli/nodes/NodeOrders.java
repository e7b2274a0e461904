package dev.imker.cli.nodes;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What an admin can order of a machine, as options of {@code imker nodes ID}. */
final class NodeOrders {
  @Option(
      names = "--pause",
      description =
          "Pause its tasks and give it no new ones, like 'imker agent pause' on that machine.")
  boolean pause;

  @Option(names = "--resume", description = "Resume its tasks, unless its owner paused it.")
  boolean resume;

  @Option(names = "--drain", description = "Let it finish its tasks, and give it no new ones.")
  boolean drain;

  @Option(names = "--undrain", description = "Give it new tasks again.")
  boolean undrain;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "WHOM",
      description = "Use it only for these, comma-separated: USER, USER/PROJECT or '*/PROJECT'.")
  List<String> only = List.of();

  @Option(
      names = "--kinds",
      split = ",",
      paramLabel = "KIND",
      description = "Use it only for these kinds of jobs: command, java, noop.")
  List<String> kinds = List.of();

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Use at most N of its cores, one per task.")
  @Nullable Integer cores;

  @Option(names = "--unrestrict", description = "Remove all restrictions.")
  boolean unrestrict;

  @Option(names = "--why", paramLabel = "TEXT", description = "Reason, shown to others.")
  String why = "";

  boolean isGiven() {
    return pause || resume || drain || undrain || unrestrict || restricts();
  }

  /** What is wrong with them; empty if nothing is. */
  String mistake() {
    if (pause && resume) {
      return "--pause and --resume cannot be combined.";
    }
    if (drain && undrain) {
      return "--drain and --undrain cannot be combined.";
    }
    return unrestrict && restricts()
        ? "--unrestrict cannot be combined with --only, --kinds or --cores."
        : "";
  }

  private boolean restricts() {
    return !only.isEmpty() || !kinds.isEmpty() || cores != null;
  }

  Map<String, Object> body() {
    Map<String, Object> body = new LinkedHashMap<>();
    if (pause || resume) {
      body.put("paused", pause);
    }
    if (drain || undrain) {
      body.put("draining", drain);
    }
    if (unrestrict) {
      body.put("restriction", Map.of());
    } else if (restricts()) {
      body.put(
          "restriction",
          Map.of("serves", only, "kinds", kinds, "cores", cores == null ? 0 : cores));
    }
    if (!why.isEmpty()) {
      body.put("why", why);
    }
    return body;
  }
}
