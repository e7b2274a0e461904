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
      description = "Freeze its tasks and give it no more, as 'imker agent pause' there does.")
  boolean pause;

  @Option(names = "--resume", description = "Let its tasks go on, unless its owner paused it.")
  boolean resume;

  @Option(names = "--drain", description = "Let it finish what it has, and give it nothing more.")
  boolean drain;

  @Option(names = "--undrain", description = "Give it work again.")
  boolean undrain;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "WHOM",
      description = "Use it only for these: USER, USER/PROJECT or '*/PROJECT', with commas.")
  List<String> only = List.of();

  @Option(
      names = "--kinds",
      split = ",",
      paramLabel = "KIND",
      description = "Use it only for jobs of these kinds: command, java, noop.")
  List<String> kinds = List.of();

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Use at most N of its cores, one for each task.")
  @Nullable Integer cores;

  @Option(names = "--unrestrict", description = "Use it for anything again.")
  boolean unrestrict;

  @Option(names = "--why", paramLabel = "TEXT", description = "The reason, for others to read.")
  String why = "";

  boolean isGiven() {
    return pause || resume || drain || undrain || unrestrict || restricts();
  }

  /** What is wrong with them; empty if nothing is. */
  String mistake() {
    if (pause && resume) {
      return "--pause and --resume exclude each other.";
    }
    if (drain && undrain) {
      return "--drain and --undrain exclude each other.";
    }
    return unrestrict && restricts() ? "--unrestrict excludes --only, --kinds and --cores." : "";
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
