package dev.imker.sim.config;

import dev.imker.model.ProjectId;
import dev.imker.model.job.Requirements;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Reads pools described in YAML; docs/simulator.md lists the keys. */
final class YamlConfig {
  private static final double REFERENCE_BENCHMARK = 4000;
  private static final int MAX = 10_000_000;

  private final int startOffset;

  private YamlConfig(int startOffset) {
    this.startOffset = startOffset;
  }

  static SimConfig read(Path file, String name) {
    Object loaded;
    try {
      loaded = new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    } catch (YamlEngineException e) {
      throw new SimException(file + " is not valid YAML: " + e.getMessage(), e);
    } catch (CharacterCodingException e) {
      throw new SimException(file + " is not UTF-8", e);
    } catch (IOException e) {
      throw new SimException(file + " cannot be read: " + e.getMessage(), e);
    }
    YamlMap root = YamlMap.of(file.toString(), loaded);
    WeekTimes times = new WeekTimes(root);
    return new YamlConfig(times.minuteOfWeek("start", "mon 00:00")).pool(root, name);
  }

  private SimConfig pool(YamlMap root, String fallbackName) {
    List<Machines> machines = new ArrayList<>();
    for (YamlMap entry : root.maps("machines")) {
      machines.add(machines(entry, machines.size() + 1));
    }
    List<Arrival> arrivals = new ArrayList<>();
    for (YamlMap entry : root.maps("work")) {
      arrivals.addAll(arrivals(entry));
    }
    if (machines.isEmpty()) {
      throw root.wrong("machines", "a pool needs at least one entry");
    }
    if (arrivals.isEmpty()) {
      throw root.wrong("work", "a simulation needs at least one entry");
    }
    SimConfig config =
        new SimConfig(
            root.text("name", fallbackName),
            machines,
            arrivals,
            root.whole("minutes", 1, MAX),
            startOffset,
            root.whole("lostAfter", 0, MAX, 1),
            root.flag("ageWhileIdle", true),
            root.flag("speculative", false),
            root.whole("seeds", 1, 10_000, 10),
            SimConfig.MINUTE_MILLIS,
            amounts(root).sums());
    root.complete();
    for (YamlMap entry : root.maps("work")) {
      String unmet = config.unmet(needs(entry));
      if (unmet != null) {
        throw entry.wrong("needs", unmet);
      }
    }
    return config;
  }

  private Machines machines(YamlMap entry, int number) {
    double benchmark = entry.number("benchmark", 1, 1e9, REFERENCE_BENCHMARK);
    double slowdown =
        entry.number(
            "slowdown", 0.001, 1e6, Math.max(1, Math.floor(benchmark / REFERENCE_BENCHMARK)));
    Failures failures = entry.has("failures") ? failures(entry.map("failures")) : Failures.NEVER;
    for (YamlMap busy : entry.maps("busy")) {
      failures =
          new Failures.Within(
              failures, new WeekTimes(busy).hours(startOffset), busy.number("factor", 0, 1e6));
      busy.complete();
    }
    Absence away = null;
    int jitter = 0;
    if (entry.has("away")) {
      YamlMap map = entry.map("away");
      away = new WeekTimes(map).hours(startOffset);
      jitter = map.whole("jitter", 0, WeekHours.DAY / 4, 0);
      map.complete();
    }
    String name = entry.text("name", "machines" + number);
    Machines machines =
        new Machines(
            name,
            entry.whole("count", 1, 1_000_000, 1),
            slowdown,
            failures,
            away,
            jitter,
            amounts(entry).platform(name, benchmark),
            0);
    entry.complete();
    return machines;
  }

  private static Failures failures(YamlMap map) {
    Failures failures;
    if (map.has("weibull")) {
      YamlMap weibull = map.map("weibull");
      failures =
          new Failures.Weibull(
              weibull.number("shape", 0.05, 20), weibull.number("scale", 0.1, 1e8));
      weibull.complete();
    } else {
      double percent = map.number("percent", 0, 100);
      failures =
          new Failures.Ramp(
              percent / 100,
              map.number("percentLater", 0, 100, percent) / 100,
              map.whole("laterFrom", 0, MAX, 1000),
              map.whole("safe", 0, MAX, 0),
              map.whole("rise", 0, MAX, 0));
    }
    map.complete();
    return failures;
  }

  private static List<Arrival> arrivals(YamlMap entry) {
    ProjectId project = new ProjectId(entry.text("user", "sim"), entry.text("project", ""));
    if (project.name().isBlank()) {
      throw entry.wrong("project", "is missing");
    }
    int count = entry.whole("tasks", 1, MAX);
    RunTimes runTimes = runTimes(entry);
    int at = entry.whole("at", 0, MAX, 0);
    int every = entry.whole("every", 1, MAX, 1);
    int times = entry.whole("times", 1, MAX, 1);
    Requirements needs = needs(entry);
    entry.complete();
    if (at + (long) (times - 1) * every > MAX) {
      throw entry.wrong("times", "the last arrival is after minute " + MAX);
    }
    List<Arrival> arrivals = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      arrivals.add(new Arrival(at + i * every, project, count, runTimes, needs));
    }
    return arrivals;
  }

  private static AmountFields amounts(YamlMap map) {
    return new AmountFields(map::value, map::wrong);
  }

  private static Requirements needs(YamlMap work) {
    if (!work.has("needs")) {
      return Requirements.ANY;
    }
    YamlMap map = work.map("needs");
    Requirements needs = amounts(map).needs();
    map.complete();
    return needs;
  }

  private static RunTimes runTimes(YamlMap entry) {
    if (entry.value("minutes") instanceof Number) {
      return new RunTimes.Fixed(entry.number("minutes", 0.001, 1e7));
    }
    YamlMap map = entry.map("minutes");
    RunTimes runTimes;
    if (map.has("median")) {
      runTimes =
          new RunTimes.LogNormal(map.number("median", 0.001, 1e7), map.number("sigma", 0, 5));
    } else if (map.has("mean")) {
      runTimes = new RunTimes.Exponential(map.number("mean", 0.001, 1e7));
    } else {
      double min = map.number("min", 0.001, 1e7);
      runTimes = new RunTimes.Uniform(min, map.number("max", min, 1e7));
    }
    map.complete();
    return runTimes;
  }
}
