package dev.imker.bench;

import dev.imker.sim.PublishedFigures;
import dev.imker.sim.SimRequest;
import dev.imker.sim.SimResult;
import dev.imker.sim.Simulator;
import dev.imker.sim.Spread;
import dev.imker.sim.bound.EndBound;
import dev.imker.sim.bound.ShareBound;
import dev.imker.sim.config.SimConfig;
import dev.imker.sim.config.SimFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Regenerates docs/scheduling.md: the published tables against ours, and survival against every
 * other strategy. Arguments: the root of the project (default: here) and the number of seeds (10).
 */
public final class TablesBench {
  private static final List<String> CLASSIC_AND_OURS =
      List.of(
          "round-robin",
          "random",
          "central-manager",
          "central-queue",
          "local-queue",
          "honey-bee",
          "survival");

  static final List<String> STRATEGIES =
      Stream.concat(PublishedFigures.STRATEGIES.stream(), CLASSIC_AND_OURS.stream()).toList();

  private static final List<String> CONFIGS =
      List.of(
          "constant-a.xml",
          "constant-b.xml",
          "ramp-a.xml",
          "ramp-b.xml",
          "ramp-c.xml",
          "office.yaml",
          "night-shift.yaml",
          "campus.yaml",
          "many-cores.yaml");

  private static final Map<String, String> TRUE_HAZARDS =
      Map.of(
          "constant-a.xml", "76.3 | – | 56.5 | – ",
          "constant-b.xml", "72.2 | – | 47.0 | – ",
          "ramp-a.xml", "– | 92 | 63 | 2255",
          "ramp-b.xml", "– | 80 | 54 | 3615",
          "ramp-c.xml", "– | 63 | 44 | 4250");

  private final Path examples;
  private final int seeds;
  private final Map<String, SimConfig> configs = new HashMap<>();
  private final Map<String, SimResult> results = new HashMap<>();
  private final StringBuilder text = new StringBuilder();

  private TablesBench(Path examples, int seeds) {
    this.examples = examples;
    this.seeds = seeds;
  }

  public static void main(String[] args) throws IOException {
    Path root = Path.of(args.length > 0 ? args[0] : ".");
    int seeds = args.length > 1 ? Integer.parseInt(args[1]) : 10;
    Path file = root.resolve("docs").resolve("scheduling.md");
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, new TablesBench(root.resolve("examples/sim"), seeds).write());
    System.out.println("wrote " + file);
  }

  private String write() {
    line("# Scheduling: published figures, ours, and what survival reaches");
    line("");
    line("Written by `./imker bench tables`; every figure is the mean of " + seeds + " seeds. The");
    line("simulator drives the production scheduler ([simulator.md](simulator.md)); survival is");
    line("described in [survival.md](survival.md).");
    constantTable();
    rampTable();
    line("");
    line("## All strategies");
    line("");
    line(
        "survival uses one setting for all configurations and makes copies at the tail; the"
            + " others");
    line(
        "make none. *Flow bound* and *true hazards* (the same policy told the true failure rates)");
    line(
        "are reference figures that no scheduler without that knowledge can be expected to reach."
            + " The");
    line(
        "flow bound is a linear programme solved anew: the largest avDone, with the efficiency of"
            + " that");
    line("solution (no bound by itself: who idles loses nothing), or the earliest end.");
    CONFIGS.forEach(this::comparison);
    return text.toString();
  }

  private void constantTable() {
    line("");
    line("## Constant failures, switched at minute 1000: avEff / avDone in %");
    line("");
    line("| strategy | A published | A ours | difference | B published | B ours | difference |");
    line("|---|---|---|---|---|---|---|");
    double squares = 0;
    double largest = 0;
    for (PublishedFigures.Constant row : PublishedFigures.CONSTANT) {
      SimResult a = result("constant-a.xml", row.strategy());
      SimResult b = result("constant-b.xml", row.strategy());
      double[] off = {
        a.avEff().mean() - row.effA(),
        a.avDone().mean() - row.doneA(),
        b.avEff().mean() - row.effB(),
        b.avDone().mean() - row.doneB()
      };
      for (double difference : off) {
        squares += difference * difference;
        largest = Math.max(largest, Math.abs(difference));
      }
      line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f / %.0f | %.1f / %.1f | %+.1f / %+.1f | %.0f / %.0f | %.1f / %.1f"
                  + " | %+.1f / %+.1f |",
              row.strategy(),
              row.effA(),
              row.doneA(),
              a.avEff().mean(),
              a.avDone().mean(),
              off[0],
              off[1],
              row.effB(),
              row.doneB(),
              b.avEff().mean(),
              b.avDone().mean(),
              off[2],
              off[3]));
    }
    line("");
    line(
        String.format(
            Locale.ROOT,
            "Root mean square of the %d differences: %.2f points; largest: %.2f.",
            4 * PublishedFigures.CONSTANT.size(),
            Math.sqrt(squares / (4 * PublishedFigures.CONSTANT.size())),
            largest));
  }

  private void rampTable() {
    line("");
    line("## Rising failures, ramp-a: makespan in minutes, windowed efficiency in %");
    line("");
    line("| strategy | published | ours | difference | eff. published | eff. ours | difference |");
    line("|---|---|---|---|---|---|---|");
    for (PublishedFigures.Ramp row : PublishedFigures.RAMP_A) {
      SimResult ours = result("ramp-a.xml", row.strategy());
      Spread makespan = ours.makespan();
      double minutes = makespan == null ? Double.NaN : makespan.mean();
      double window = ours.effWindow().mean();
      boolean published = !Double.isNaN(row.effWindow());
      line(
          String.format(
              Locale.ROOT,
              "| %s | %.0f | %.0f | %+.1f %% | %s | %.1f | %s |",
              row.strategy(),
              row.makespan(),
              minutes,
              100 * (minutes / row.makespan() - 1),
              published ? String.format(Locale.ROOT, "%.0f", row.effWindow()) : "–",
              window,
              published ? String.format(Locale.ROOT, "%+.1f", window - row.effWindow()) : "–"));
    }
  }

  private void comparison(String file) {
    line("");
    line("### " + file);
    line("");
    line("| strategy | avEff % | effWindow % | avDone % | makespan min |");
    line("|---|---|---|---|---|");
    for (String strategy : STRATEGIES) {
      SimResult ours = result(file, strategy);
      String name = strategy.equals("survival") ? "**survival**" : strategy;
      line(
          String.format(
              Locale.ROOT,
              "| %s | %.1f ± %.1f | %.1f | %.1f ± %.1f | %s |",
              name,
              ours.avEff().mean(),
              ours.avEff().sd(),
              ours.effWindow().mean(),
              ours.avDone().mean(),
              ours.avDone().sd(),
              minutes(ours.makespan())));
    }
    reference("true hazards", TRUE_HAZARDS.get(file));
    reference("flow bound", bound(file));
  }

  /**
   * Computed anew from the configuration; null where its failures or lengths are of other kinds.
   */
  private @Nullable String bound(String file) {
    SimConfig config = config(file);
    if (file.startsWith("constant")) {
      ShareBound bound = ShareBound.of(config);
      return String.format(Locale.ROOT, "%.1f | – | %.1f | – ", bound.avEff(), bound.avDone());
    }
    return file.startsWith("ramp")
        ? String.format(Locale.ROOT, "– | – | – | %.0f", EndBound.minutes(config))
        : null;
  }

  private void reference(String name, @Nullable String figures) {
    if (figures != null) {
      line("| *" + name + "* | " + figures + " |");
    }
  }

  private static String minutes(@Nullable Spread spread) {
    return spread == null
        ? "not done"
        : String.format(Locale.ROOT, "%.0f ± %.0f", spread.mean(), spread.sd());
  }

  private SimResult result(String file, String strategy) {
    return results.computeIfAbsent(
        file + " " + strategy,
        key -> {
          System.out.println(key);
          return Simulator.run(
              config(file), strategy, seeds, false, SimRequest.DEFAULT_UNTIL_MINUTES, false);
        });
  }

  private SimConfig config(String file) {
    return configs.computeIfAbsent(file, name -> SimFiles.read(examples.resolve(name)));
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
