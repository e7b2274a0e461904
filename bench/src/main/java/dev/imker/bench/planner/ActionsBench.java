package dev.imker.bench.planner;

import dev.imker.planner.PlanLimits;
import dev.imker.planner.actions.ActionDescription;
import dev.imker.planner.actions.ActionLibrary;
import dev.imker.planner.actions.ActionPlanner;
import dev.imker.planner.actions.PlanRequest;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How long it takes to plan the example of eleven tasks, anew and from the cache. */
final class ActionsBench {
  private static final int ROUNDS = 2_000;
  private static final int TASKS = 11;

  private ActionsBench() {}

  static void run(PrintStream report) {
    double fresh = medianMicros(ActionsBench::planAnew);
    ActionPlanner planner = new ActionPlanner(library(), 10);
    double hit = medianMicros(() -> plan(planner));
    report.printf(
        Locale.ROOT,
        "example of %d tasks: planned in %.1f µs, from the cache in %.2f µs (medians of %,d)%n",
        TASKS,
        fresh,
        hit,
        ROUNDS);
  }

  private static void planAnew() {
    plan(new ActionPlanner(library(), 1));
  }

  private static void plan(ActionPlanner planner) {
    PlanRequest request = new PlanRequest().has("UserId").wants("Suggestions");
    int actions = planner.plan(request, PlanLimits.none()).dag().actions().size();
    if (actions != TASKS) {
      throw new IllegalStateException("a plan of " + actions + " tasks");
    }
  }

  private static ActionLibrary library() {
    List<String> sources = List.of("Facebook", "Google", "Youtube", "Soundcloud");
    List<String> media = List.of("Watched", "VideosRated", "Heard", "TracksRated");
    List<ActionDescription> actions = new java.util.ArrayList<>();
    sources.forEach(name -> actions.add(action(List.of("UserId"), name)));
    actions.add(action(sources, "Friends"));
    media.forEach(name -> actions.add(action(List.of("Friends"), name)));
    actions.add(action(media, "Media"));
    actions.add(action(List.of("Media"), "Suggestions"));
    return new ActionLibrary(actions);
  }

  private static ActionDescription action(List<String> from, String to) {
    return ActionDescription.typed("make" + to, from, List.of(to), List.of());
  }

  private static double medianMicros(Runnable step) {
    double[] micros = new double[ROUNDS];
    for (int i = 0; i < 2 * ROUNDS; i++) {
      long start = System.nanoTime();
      step.run();
      micros[i % ROUNDS] = (System.nanoTime() - start) / 1e3;
    }
    Arrays.sort(micros);
    return micros[ROUNDS / 2];
  }
}
