package dev.imker.sim.report;

import dev.imker.sim.SimResult;
import dev.imker.sim.Spread;
import dev.imker.sim.Timeline;
import dev.imker.sim.config.SimException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pictures of results: for every file and strategy the done rate and working nodes per project and
 * the efficiency over time (of the first seed), what is in use of each resource where machines have
 * amounts, and for every file bars that compare strategies.
 */
final class SimPlots {
  private SimPlots() {}

  /** Returns the files written. */
  public static List<Path> write(List<SimResult> results, Path folder) {
    List<Path> files = new ArrayList<>();
    try {
      Files.createDirectories(folder);
      for (SimResult result : results) {
        Timeline timeline = result.runs().getFirst().timeline();
        if (timeline != null) {
          Path file = folder.resolve(fileName(result.config().name(), result.strategy()));
          files.add(Files.writeString(file, course(result, timeline)));
        }
      }
      for (String name : results.stream().map(r -> r.config().name()).distinct().toList()) {
        List<SimResult> rows =
            results.stream().filter(r -> r.config().name().equals(name)).toList();
        Path file = folder.resolve(fileName(name, "compare"));
        files.add(Files.writeString(file, comparison(rows)));
      }
    } catch (IOException e) {
      throw new SimException("plots cannot be written to " + folder + ": " + e.getMessage(), e);
    }
    return files;
  }

  private static String fileName(String config, String strategy) {
    return (config + "-" + strategy).replaceAll("[^A-Za-z0-9._-]+", "_") + ".svg";
  }

  private static String course(SimResult result, Timeline timeline) {
    List<SvgCanvas.Curve> done = new ArrayList<>();
    List<SvgCanvas.Curve> working = new ArrayList<>();
    for (int k = 0; k < result.config().projects().size(); k++) {
      done.add(new SvgCanvas.Curve(result.projectName(k), timeline.done(k)));
      working.add(new SvgCanvas.Curve(result.projectName(k), timeline.working(k)));
    }
    String title = result.config().name() + ", " + result.strategy() + ": ";
    SvgCanvas canvas = new SvgCanvas();
    canvas.lines(title + "done %", 100, done);
    canvas.lines(title + "working nodes", 1, working);
    canvas.lines(
        title + "efficiency %",
        100,
        List.of(new SvgCanvas.Curve("useful minutes", timeline.efficiency())));
    List<SvgCanvas.Curve> used = new ArrayList<>();
    timeline.used().forEach((name, percents) -> used.add(new SvgCanvas.Curve(name, percents)));
    if (!used.isEmpty()) {
      canvas.lines(title + "in use %", 100, used);
    }
    return canvas.svg();
  }

  private static String comparison(List<SimResult> rows) {
    String name = rows.getFirst().config().name();
    SvgCanvas canvas = new SvgCanvas();
    canvas.bars(name + ": efficiency %", bars(rows, SimResult::avEff));
    canvas.bars(name + ": mean done rate %", bars(rows, SimResult::avDone));
    if (rows.stream().anyMatch(row -> row.makespan() != null)) {
      canvas.bars(name + ": minutes until all is done", bars(rows, SimResult::makespan));
    }
    return canvas.svg();
  }

  private interface Measure {
    @Nullable Spread of(SimResult result);
  }

  private static List<SvgCanvas.Bar> bars(List<SimResult> rows, Measure measure) {
    List<SvgCanvas.Bar> bars = new ArrayList<>();
    for (SimResult row : rows) {
      Spread spread = measure.of(row);
      if (spread != null) {
        bars.add(new SvgCanvas.Bar(row.strategy(), spread.mean(), spread.sd()));
      }
    }
    return bars;
  }
}
