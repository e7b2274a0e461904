package dev.imker.core.strategy.catalogue;

import dev.imker.core.strategy.Strategy;
import dev.imker.core.strategy.StrategyException;
import dev.imker.core.strategy.survival.Survival;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

public final class Strategies {
  /** A strategy that can be asked for, with what it takes. */
  public record Kind(String name, String summary, List<StrategyParameter> parameters) {}

  private record Entry(Kind kind, Function<Arguments, Strategy> factory) {}

  private static final StrategyParameter SCALE =
      new StrategyParameter(
          "s", "dynamic", "how much reputation extends the run time: a number, or dynamic");
  private static final Map<String, Entry> ENTRIES = entries();

  private Strategies() {}

  /**
   * Makes a strategy from text such as {@code balanced}, {@code runtime:s=2} or {@code
   * combined:fairLevel=0.2,useUptimes=yes}.
   *
   * @throws StrategyException with the nearest name and what there is
   */
  public static Strategy parse(String text) {
    int colon = text.indexOf(':');
    String name = (colon < 0 ? text : text.substring(0, colon)).strip();
    Entry entry = ENTRIES.get(name);
    if (entry == null) {
      throw new StrategyException(
          "no strategy '"
              + name
              + "'"
              + StrategyException.suggestion(name, ENTRIES.keySet())
              + "; there are: "
              + String.join(" ", ENTRIES.keySet()));
    }
    String rest = colon < 0 ? "" : text.substring(colon + 1);
    return entry.factory().apply(Arguments.parse(name, entry.kind().parameters(), rest));
  }

  /** All strategies, in the order of the documentation. */
  public static List<Kind> all() {
    return ENTRIES.values().stream().map(Entry::kind).toList();
  }

  private static Map<String, Entry> entries() {
    Map<String, Entry> all = new LinkedHashMap<>();
    add(all, "balanced", "project with the fewest running tasks", a -> new Balanced());
    add(all, "newcomer", "project with the smallest share of done tasks", a -> new Newcomer());
    add(all, "performance", "long tasks to reliable nodes", a -> new Performance());
    add(
        all,
        "runtime",
        "project that suits a node's run times",
        a -> new RuntimeFit(a.scale("s")),
        SCALE);
    add(
        all,
        "uptime",
        "project that suits a node's up-times",
        a -> new UptimeFit(a.scale("s")),
        SCALE);
    add(
        all,
        "uptime-improved",
        "project that suits the rest of an up-time",
        a -> new UptimeImproved());
    addCombined(all, "combined", "a node's run times", "0.05", "dynamic", "no");
    addCombined(all, "combined-runtime", "a node's run times", "0.05", "dynamic", "no");
    addCombined(all, "combined-uptime", "a node's up-times", "0", "0", "yes");
    addCombined(all, "combined-improved", "the rest of an up-time", "0", "0", "improved");
    add(all, "round-robin", "projects in turn", a -> new RoundRobin());
    add(all, "random", "any project", a -> new RandomProject());
    add(
        all,
        "central-manager",
        "next task to the least busy",
        a -> new FirstCome("central-manager", Strategy.Serving.FEWEST_TASKS));
    add(
        all,
        "central-queue",
        "requests and tasks in order",
        a -> new FirstCome("central-queue", Strategy.Serving.FIRST_ASKED));
    add(
        all,
        "local-queue",
        "a queue per node; surplus migrates",
        a -> new LocalQueue(a.whole("threshold", 1, 1_000_000), a.whole("queue", 0, 100)),
        new StrategyParameter(
            "threshold", "1", "with fewer own tasks left a node takes over others'"),
        new StrategyParameter("queue", "2", "tasks that may wait at an agent, per slot"));
    add(
        all,
        "honey-bee",
        "nodes follow profitable projects",
        a -> new HoneyBee(a.number("explore", 0, 1)),
        new StrategyParameter("explore", "0.1", "share of nodes that try any project"));
    add(
        all,
        "survival",
        "the most work expected to finish",
        a -> new Survival(a.number("endWeight", 0, 1)),
        new StrategyParameter("endWeight", "0.34", "weight of an early end against early results"));
    return all;
  }

  private static void addCombined(
      Map<String, Entry> all,
      String name,
      String second,
      String powerIndexProb,
      String scale,
      String uptimes) {
    add(
        all,
        name,
        "fairness first, then " + second,
        a -> new Combined(name, combinedSettings(a)),
        new StrategyParameter(
            "fairLevel", "0.1", "below this ratio of working nodes fairness decides"),
        new StrategyParameter(
            "doneRateLowBoost", "0.03", "a project less done than this comes first"),
        new StrategyParameter("powerIndexProb", powerIndexProb, "how often 'performance' decides"),
        new StrategyParameter("runlengthScale", scale, "as s of runtime and uptime"),
        new StrategyParameter("useUptimes", uptimes, "no: run times, yes: up-times, or improved"));
  }

  private static Combined.Settings combinedSettings(Arguments a) {
    return new Combined.Settings(
        a.number("fairLevel", 0, 1),
        a.number("doneRateLowBoost", 0, 1),
        a.number("powerIndexProb", 0, 1),
        a.scale("runlengthScale"),
        a.uptimes("useUptimes"));
  }

  private static void add(
      Map<String, Entry> all,
      String name,
      String summary,
      Function<Arguments, Strategy> factory,
      StrategyParameter... parameters) {
    all.put(name, new Entry(new Kind(name, summary, List.of(parameters)), factory));
  }
}
