package dev.imker.charts.study;

import dev.imker.charts.outcome.Trade;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came out of a unit, one outcome per run of it.
 *
 * @param problem why some combination could not be computed, if one could not
 * @param notes what whoever reads the figures should know
 */
public record PartialResult(
    WorkUnit unit, List<Outcome> outcomes, @Nullable String problem, List<String> notes) {
  public PartialResult {
    outcomes = List.copyOf(outcomes);
    notes = List.copyOf(notes);
  }

  PartialResult with(List<Outcome> some) {
    return new PartialResult(unit, some, problem, notes);
  }

  /** The notes of all, each once; of many only the first. */
  static List<String> notes(List<PartialResult> done) {
    List<String> all = done.stream().flatMap(r -> r.notes().stream()).distinct().toList();
    if (all.size() <= MAX_NOTES) {
      return all;
    }
    List<String> some = new ArrayList<>(all.subList(0, MAX_NOTES));
    some.add("and %d more notes of this kind.".formatted(all.size() - MAX_NOTES));
    return some;
  }

  private static final int MAX_NOTES = 20;

  /**
   * The outcome of a run.
   *
   * @param fromDate ISO date of the first bar
   * @param toDate ISO date of the last bar
   * @param figures per combination, by figure; all NaN where the combination makes no sense. Once
   *     joined, sums over a group of units, in the last of them only; see {@link JoinedResults}
   * @param worth per combination, by the objective; empty until joined
   * @param trades of the last combination, if detailed
   * @param curve of the last combination, if detailed
   * @param legs of a run whose combinations are traded one after the other; its figures are of the
   *     whole
   */
  public record Outcome(
      String fromDate,
      String toDate,
      double[][] figures,
      double[] worth,
      List<Trade> trades,
      double[] curve,
      List<LegOutcome> legs) {
    public Outcome {
      trades = List.copyOf(trades);
      legs = List.copyOf(legs);
    }

    Outcome with(double[][] someFigures, double[] someWorth) {
      return new Outcome(fromDate, toDate, someFigures, someWorth, trades, curve, legs);
    }

    boolean isJoined() {
      return worth.length > 0;
    }
  }

  /** The part of the account's course that one combination is answerable for. */
  public record LegOutcome(String fromDate, String toDate, double[] figures) {}
}
