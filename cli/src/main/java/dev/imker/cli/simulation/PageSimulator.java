package dev.imker.cli.simulation;

import dev.imker.core.strategy.catalogue.Strategies;
import dev.imker.model.ImkerException;
import dev.imker.server.simulation.PoolSimulator;
import dev.imker.sim.SimRequest;
import dev.imker.sim.SimResult;
import dev.imker.sim.SimRun;
import dev.imker.sim.Simulator;
import dev.imker.sim.Spread;
import dev.imker.sim.Timeline;
import dev.imker.sim.config.SimConfig;
import dev.imker.sim.config.SimFiles;
import dev.imker.sim.twin.Twin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lets the web page use the simulator, within limits that a server can bear. */
public final class PageSimulator implements PoolSimulator {
  private static final int MAX_NODES = 5_000;
  private static final int MAX_TASKS = 100_000;
  private static final int PATIENCE = 10;

  /** What the curves of the recorded run may have. */
  private static final int MAX_RECORDED = 10_000_000;

  private static final int POINTS = 300;

  @Override
  public Report run(Order order, BooleanSupplier isOver) {
    order.strategies().forEach(Strategies::parse);
    SimConfig config =
        order.history() == null ? described(order) : Twin.of(RecordedPool.history(order.history()));
    if (config.nodes() > MAX_NODES || config.tasks() > MAX_TASKS) {
      throw new ImkerException(
          "%d nodes and %d tasks are too many for the page (%d and %d); use 'imker sim'."
              .formatted(config.nodes(), config.tasks(), MAX_NODES, MAX_TASKS));
    }
    if (config.minutes() > longest(config)) {
      throw new ImkerException(
          "%d projects over %d minutes are too much for the page (%d minutes with so many); use 'imker sim'."
              .formatted(config.projects().size(), config.minutes(), longest(config)));
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (String strategy : order.strategies()) {
      outcomes.add(outcome(config, strategy, order.seeds(), isOver));
    }
    return new Report(
        config.name(),
        config.nodes(),
        config.tasks(),
        config.minutes() * config.minutesPerStep(),
        outcomes);
  }

  private static SimConfig described(Order order) {
    Path folder = null;
    try {
      folder = Files.createTempDirectory("imker-sim-");
      Path file = Files.writeString(folder.resolve("pool." + order.format()), order.text());
      return SimFiles.read(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ImkerException e) {
      String words = String.valueOf(e.getMessage());
      throw new ImkerException(folder == null ? words : words.replace(folder + "/", ""), e);
    } finally {
      remove(folder, order.format());
    }
  }

  private static void remove(@Nullable Path folder, String format) {
    if (folder != null) {
      try {
        Files.deleteIfExists(folder.resolve("pool." + format));
        Files.deleteIfExists(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  // ---------------------------------------------------------------- running

  /** For how many minutes the first run can be recorded. */
  private static int longest(SimConfig config) {
    long amounts =
        Stream.concat(
                config.resources().keySet().stream(),
                config.machines().stream()
                    .flatMap(kind -> kind.platform().amounts().keySet().stream()))
            .distinct()
            .count();
    return (int) (MAX_RECORDED / (1 + 2L * config.projects().size() + amounts));
  }

  private static Outcome outcome(
      SimConfig config, String strategy, int seeds, BooleanSupplier isOver) {
    int until =
        Math.min(
            (int) Math.min((long) PATIENCE * config.minutes(), SimRequest.DEFAULT_UNTIL_MINUTES),
            longest(config));
    SimResult result =
        Simulator.runInTurn(config, strategy, seeds, until, () -> requireTime(isOver));
    List<Project> projects = new ArrayList<>();
    for (int i = 0; i < config.projects().size(); i++) {
      projects.add(new Project(config.projects().get(i).toString(), figure(result.finished(i))));
    }
    return new Outcome(
        strategy,
        known(result.avEff()),
        known(result.avDone()),
        figure(result.makespan()),
        projects,
        result.resources().stream()
            .map(
                name ->
                    new Resource(
                        name, known(result.used(name)), known(result.usedWhileWaiting(name))))
            .toList(),
        curves(config, result.runs().getFirst()));
  }

  private static void requireTime(BooleanSupplier isOver) {
    if (isOver.getAsBoolean()) {
      throw new ImkerException(
          "This takes longer than a minute: choose fewer strategies or runs, or use 'imker sim'.");
    }
  }

  private static Figure known(Spread spread) {
    return new Figure(spread.mean(), spread.sd());
  }

  private static @Nullable Figure figure(@Nullable Spread spread) {
    return spread == null ? null : known(spread);
  }

  private static Curves curves(SimConfig config, SimRun run) {
    Timeline timeline = Objects.requireNonNull(run.timeline(), "the first run is recorded");
    int length = timeline.minutes();
    double[] minutes = new double[Math.min(length, POINTS)];
    for (int i = 0; i < minutes.length; i++) {
      minutes[i] = at(i, minutes.length, length) * config.minutesPerStep();
    }
    List<float[]> done = new ArrayList<>();
    List<float[]> working = new ArrayList<>();
    for (int k = 0; k < config.projects().size(); k++) {
      done.add(timeline.done(k));
      working.add(timeline.working(k));
    }
    return new Curves(
        minutes,
        thin(timeline.efficiency()),
        thin(done),
        thin(working),
        thin(timeline.used().values()));
  }

  private static int at(int point, int points, int length) {
    return points < 2 ? 0 : (int) ((long) point * (length - 1) / (points - 1));
  }

  private static float[][] thin(Collection<float[]> all) {
    return all.stream().map(PageSimulator::thin).toArray(float[][]::new);
  }

  private static float[] thin(float[] all) {
    float[] some = new float[Math.min(all.length, POINTS)];
    for (int i = 0; i < some.length; i++) {
      some[i] = all[at(i, some.length, all.length)];
    }
    return some;
  }
}
