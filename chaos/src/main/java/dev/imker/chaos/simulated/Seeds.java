package dev.imker.chaos.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs simulations one seed after the other and makes the first that fails small. */
final class Seeds {
  /**
   * A seed whose pool broke a promise.
   *
   * @param plan with as little as is needed for it
   */
  public record Finding(long seed, BrokenPromise why, Plan plan) {
    /** For people: what, and how to see it again. */
    public String describe() {
      return "%s%nagain: ./imker chaos --simulated --seed %d%nwhat is needed for it: %s"
          .formatted(why.getMessage(), seed, plan.describe());
    }
  }

  private static final int MAX_TRIALS = 400;

  private final Simulation.Stores stores;
  private final LogWatch log = LogWatch.begin();
  private long events;
  private long fingerprint;

  public Seeds() {
    this(Simulation.Stores.RIGHT);
  }

  Seeds(Simulation.Stores stores) {
    this.stores = stores;
  }

  /** How much has happened in all of them. */
  public long events() {
    return events;
  }

  /** Of all histories so far. */
  long fingerprint() {
    return fingerprint;
  }

  /** Runs one; what was found is made small. */
  public Optional<Finding> run(long seed) {
    Plan plan = Plan.of(seed);
    BrokenPromise why = attempt(plan);
    if (why == null) {
      return Optional.empty();
    }
    Plan small = shrink(plan);
    BrokenPromise again = attempt(small);
    return Optional.of(new Finding(seed, again == null ? why : again, small));
  }

  /** Runs one; whether its pool broke a promise. */
  public boolean breaks(long seed) {
    return attempt(Plan.of(seed)) != null;
  }

  /** Runs a plan and tells what was broken; null if nothing was. */
  @Nullable BrokenPromise attempt(Plan plan) {
    try {
      Simulation.Outcome outcome = Simulation.run(plan, stores, log);
      events += outcome.events();
      fingerprint = 31 * fingerprint + outcome.fingerprint();
      return null;
    } catch (BrokenPromise e) {
      return e;
    } catch (RuntimeException e) {
      return new BrokenPromise("the simulation failed: " + e, e);
    }
  }

  private Plan shrink(Plan plan) {
    int[] trials = {0};
    Plan small = plan;
    for (int before = -1; before != size(small) && trials[0] < MAX_TRIALS; ) {
      before = size(small);
      Plan base = small;
      small = base.withFaults(fewer(base.faults(), base::withFaults, trials));
      Plan next = small;
      small = next.withOrders(fewer(next.orders(), next::withOrders, trials));
    }
    return small;
  }

  private static int size(Plan plan) {
    return plan.orders().size() + plan.faults().size();
  }

  private <T> List<T> fewer(List<T> all, Function<List<T>, Plan> plan, int[] trials) {
    List<T> kept = new ArrayList<>(all);
    for (int i = kept.size() - 1; i >= 0 && trials[0] < MAX_TRIALS; i--) {
      List<T> without = new ArrayList<>(kept);
      without.remove(i);
      trials[0]++;
      if (attempt(plan.apply(without)) != null) {
        kept = without;
      }
    }
    return kept;
  }
}
