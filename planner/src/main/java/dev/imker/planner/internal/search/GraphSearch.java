package dev.imker.planner.internal.search;

import dev.imker.planner.internal.basics.Bits;
import dev.imker.planner.internal.basics.Stopwatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Searches a planning graph backwards for a plan: at each level an action is chosen for every goal,
 * the preconditions of the chosen actions are the goals of the level before.
 *
 * <p>A failure is explained by the subset of goals that took part in it (Kambhampati, 2000):
 * choices that did not contribute are not revised, and only the subset is remembered, so that it
 * rules out more later. Goals that appear late in the graph are tried first, frame actions before
 * others.
 *
 * <p>Let F(k) be the sets remembered at level k, and let the graph have levelled off at n. If for
 * some k ≥ n every set of F(k) contains one of F(k+1), then from a state that contains no set of
 * F(k) no action leads to one that does: each set of F(k+1) was shown to need a set of F(k), or a
 * mutex pair, one step earlier. The start state is such a state, and a goal that failed at a level
 * above k needs a set of F(k) on the way: there is no plan of any length.
 */
final class GraphSearch {
  /** The search took more steps than allowed; nothing is proved. */
  static final class Exhausted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exhausted() {
      super("step limit", null, false, false);
    }
  }

  /** Beyond this the memory is better used otherwise. */
  private static final int MAX_REMEMBERED = 2_000_000;

  private final PlanningGraph graph;
  private final Stopwatch stopwatch;
  private final List<FailedSets> failed = new ArrayList<>();
  private final Map<Long, Boolean> interference = new HashMap<>();
  private final int[][] orderedProducers;
  private final List<int[]> plan = new ArrayList<>();
  private long stepsLeft;
  private int remembered;

  GraphSearch(PlanningGraph graph, Stopwatch stopwatch) {
    this.graph = graph;
    this.stopwatch = stopwatch;
    this.orderedProducers = new int[graph.propositionCount][];
  }

  /**
   * Looks for a plan of exactly {@code level} steps, some of which may be empty.
   *
   * @return the actions of each step, or null if there is no such plan
   * @throws Exhausted after {@code maxSteps} choices
   */
  @Nullable List<int[]> search(int level, long maxSteps) {
    stepsLeft = maxSteps;
    plan.clear();
    for (int i = 0; i < level; i++) {
      plan.add(new int[0]);
    }
    while (failed.size() <= level) {
      failed.add(new FailedSets());
    }
    Arrays.fill(orderedProducers, null);
    return solve(level, graph.task().goal) == null ? new ArrayList<>(plan) : null;
  }

  /** Whether the failures so far prove that no plan of any length exists. */
  boolean provesUnsolvable() {
    for (int k = graph.levelledOffAt(); k < failed.size() - 1; k++) {
      FailedSets above = failed.get(k + 1);
      if (failed.get(k).allMatch(set -> above.subsetOf(set) != null)) {
        return true;
      }
    }
    return false;
  }

  long stepsLeft() {
    return stepsLeft;
  }

  /** Null if the sorted goals can be reached, else a sorted subset that cannot. */
  private int @Nullable [] solve(int level, int[] goals) {
    if (level == 0) {
      return null;
    }
    int[] known = failed.get(level).subsetOf(goals);
    if (known != null) {
      return known;
    }
    int[] conflict = new Layer(level, goals).choose(0);
    if (conflict != null) {
      failed.get(level).add(conflict);
      if (++remembered > MAX_REMEMBERED) {
        throw new Exhausted();
      }
    }
    return conflict;
  }

  /** The choice of actions for the goals of one level. */
  private final class Layer {
    private final int level;
    private final int[] goals;
    private final int[] chosen;
    private final int[] chosenFor;
    private int chosenCount;

    Layer(int level, int[] goals) {
      this.level = level;
      this.goals = hardestFirst(goals);
      this.chosen = new int[goals.length];
      this.chosenFor = new int[goals.length];
    }

    private int[] hardestFirst(int[] sorted) {
      return IntStream.of(sorted)
          .boxed()
          .sorted(
              Comparator.<Integer>comparingInt(g -> -graph.propositionLevel[g])
                  .thenComparingInt(g -> graph.producers[g].length))
          .mapToInt(Integer::intValue)
          .toArray();
    }

    /** Null on success, else the goals to blame. */
    int @Nullable [] choose(int index) {
      if (index == goals.length) {
        return descend();
      }
      int goal = goals[index];
      for (int i = 0; i < chosenCount; i++) {
        if (Arrays.binarySearch(graph.adds[chosen[i]], goal) >= 0) {
          return choose(index + 1);
        }
      }
      long[] blamed = Bits.ofSize(graph.propositionCount);
      Bits.set(blamed, goal);
      for (int action : producers(goal)) {
        if (graph.actionLevel[action] >= level) {
          continue;
        }
        stopwatch.check();
        if (--stepsLeft < 0) {
          throw new Exhausted();
        }
        int rival = rivalOf(action);
        if (rival >= 0) {
          Bits.set(blamed, chosenFor[rival]);
          continue;
        }
        chosen[chosenCount] = action;
        chosenFor[chosenCount++] = goal;
        int[] conflict = choose(index + 1);
        if (conflict == null) {
          return null;
        }
        chosenCount--;
        if (Arrays.binarySearch(conflict, goal) < 0) {
          return conflict;
        }
        for (int g : conflict) {
          Bits.set(blamed, g);
        }
      }
      return Bits.members(blamed);
    }

    private int rivalOf(int action) {
      for (int i = 0; i < chosenCount; i++) {
        if (interfere(action, chosen[i])
            || graph.haveCompetingNeeds(action, chosen[i], level - 1)) {
          return i;
        }
      }
      return -1;
    }

    private int @Nullable [] descend() {
      long[] needs = Bits.ofSize(graph.propositionCount);
      for (int i = 0; i < chosenCount; i++) {
        for (int p : graph.preconditions[chosen[i]]) {
          Bits.set(needs, p);
        }
      }
      int[] conflict = solve(level - 1, Bits.members(needs));
      if (conflict == null) {
        plan.set(
            level - 1,
            IntStream.of(chosen).limit(chosenCount).filter(a -> !graph.isFrame(a)).toArray());
        return null;
      }
      return regress(conflict);
    }

    /** The goals whose actions brought in the failed needs. */
    private int[] regress(int[] needs) {
      long[] blamed = Bits.ofSize(graph.propositionCount);
      for (int need : needs) {
        for (int i = 0; i < chosenCount; i++) {
          if (Arrays.binarySearch(graph.preconditions[chosen[i]], need) >= 0) {
            Bits.set(blamed, chosenFor[i]);
            break;
          }
        }
      }
      return Bits.members(blamed);
    }
  }

  private boolean interfere(int a, int b) {
    long key = (long) Math.min(a, b) << 32 | Math.max(a, b);
    return interference.computeIfAbsent(key, _ -> graph.interfere(a, b));
  }

  private int[] producers(int goal) {
    int[] known = orderedProducers[goal];
    if (known == null) {
      known =
          IntStream.of(graph.producers[goal])
              .boxed()
              .sorted(
                  Comparator.<Integer>comparingInt(a -> graph.isFrame(a) ? 0 : 1)
                      .thenComparingInt(a -> graph.actionLevel[a]))
              .mapToInt(Integer::intValue)
              .toArray();
      orderedProducers[goal] = known;
    }
    return known;
  }
}
