package dev.imker.charts.strategy;

import dev.imker.charts.market.CommonCalendar;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides at the closes of a day which positions are left, entered and rebalanced. */
final class PortfolioChoice {
  private static final double[] NONE = {};

  private final CommonCalendar calendar;
  private final List<Seat> seats;
  private final Portfolio portfolio;
  private final int positions;

  /**
   * @param portfolio without parameters
   */
  PortfolioChoice(CommonCalendar calendar, List<Seat> seats, Portfolio portfolio) {
    this.calendar = calendar;
    this.seats = seats;
    this.portfolio = portfolio;
    this.positions =
        portfolio.positions() == null
            ? seats.size()
            : (int) Math.max(1, portfolio.positions().at(NONE));
  }

  Portfolio.Rebalancing rebalancing() {
    return portfolio.rebalancing();
  }

  /** A market that could be held, on one side. */
  private record Candidate(Seat seat, boolean isLong, double preference) {}

  /**
   * Writes the orders of the day.
   *
   * @param due whether positions are brought back to their weights
   */
  void decide(int day, boolean due) {
    for (Seat seat : seats) {
      int bar = calendar.bar(seat.place, day);
      if (seat.isOpen() && bar != CommonCalendar.NO_BAR && bar > justEntered(seat)) {
        Rules.Side side = seat.rules.side(seat.holding.isLong);
        if (side.exit().holds(bar, seat.holding)) {
          String reason = side.reason(bar, seat.holding);
          seat.order.leave = reason.isEmpty() ? "exit" : reason;
        }
      }
    }
    List<Candidate> held = new ArrayList<>();
    List<Candidate> entering = new ArrayList<>();
    for (Seat seat : seats) {
      sort(seat, day, held, entering);
    }
    boolean rebalanced = due && portfolio.rebalancing() != Portfolio.Rebalancing.NEVER;
    if (rebalanced) {
      rebalance(held, entering);
    } else if (!portfolio.onlyWhenRebalanced()) {
      enter(held, entering);
    }
  }

  /** A position that was entered at a close is not left at the same one. */
  private static int justEntered(Seat seat) {
    boolean atClose = seat.rules.terms().execution() == Terms.Execution.CLOSE;
    return atClose ? seat.holding.entryBar : seat.holding.entryBar - 1;
  }

  private void sort(Seat seat, int day, List<Candidate> held, List<Candidate> entering) {
    int bar = calendar.bar(seat.place, day);
    if (seat.isOpen() && seat.order.leave.isEmpty()) {
      held.add(candidate(seat, seat.holding.isLong, seat.lastBar));
    } else if (seat.order.take) {
      held.add(candidate(seat, seat.order.isLong, seat.lastBar));
    } else if (bar != CommonCalendar.NO_BAR && bar >= seat.rules.warmUp()) {
      Candidate candidate = entering(seat, bar);
      if (candidate != null && !Double.isNaN(candidate.preference())) {
        entering.add(candidate);
      }
    }
  }

  /**
   * After a signal to leave, the same close may turn the position round, but not enter it again.
   */
  private @Nullable Candidate entering(Seat seat, int bar) {
    boolean leaving = seat.isOpen();
    for (boolean isLong : new boolean[] {true, false}) {
      boolean again = leaving && seat.holding.isLong == isLong;
      if (!again && seat.rules.side(isLong).enter().holds(bar, seat.holding)) {
        return candidate(seat, isLong, bar);
      }
    }
    return null;
  }

  private Candidate candidate(Seat seat, boolean isLong, int bar) {
    double rank = seat.rank(bar);
    return new Candidate(seat, isLong, portfolio.highestFirst() == isLong ? rank : -rank);
  }

  /** The best stay or begin, the others are left; all of them get their weight. */
  private void rebalance(List<Candidate> held, List<Candidate> entering) {
    List<Candidate> all = new ArrayList<>(held);
    all.addAll(entering);
    if (portfolio.rank() != null) {
      all.sort(Comparator.comparingDouble(PortfolioChoice::knownFirst).reversed());
    }
    List<Candidate> chosen = all.subList(0, Math.min(positions, all.size()));
    for (Candidate dropped : all.subList(chosen.size(), all.size())) {
      dropped.seat().order.take = false;
      if (dropped.seat().isOpen() && dropped.seat().order.leave.isEmpty()) {
        dropped.seat().order.leave = "rank";
      }
    }
    order(chosen, chosen);
  }

  /** What is held may have lost its rank. */
  private static double knownFirst(Candidate candidate) {
    double preference = candidate.preference();
    return Double.isNaN(preference) ? Double.NEGATIVE_INFINITY : preference;
  }

  /** Free places go to the best of those that give a signal. */
  private void enter(List<Candidate> held, List<Candidate> entering) {
    entering.sort(Comparator.comparingDouble(Candidate::preference).reversed());
    int free = Math.clamp(positions - held.size(), 0, entering.size());
    List<Candidate> chosen = entering.subList(0, free);
    List<Candidate> all = new ArrayList<>(held);
    all.addAll(chosen);
    order(chosen, all);
  }

  private void order(List<Candidate> chosen, List<Candidate> all) {
    double calmness = all.stream().mapToDouble(this::calmness).sum();
    for (Candidate candidate : chosen) {
      Seat.Order order = candidate.seat().order;
      order.take = true;
      order.isLong = candidate.isLong();
      order.weight =
          switch (portfolio.weighting()) {
            case EQUAL -> 1.0 / positions;
            case FIXED ->
                portfolio.fixedWeights().getOrDefault(candidate.seat().market.name(), 0.0) / 100;
            case INVERSE_VOLATILITY ->
                calmness == 0 ? 0 : calmness(candidate) / calmness * all.size() / positions;
          };
    }
  }

  /** The opposite of how much a market moves; nothing while that is unknown. */
  private double calmness(Candidate candidate) {
    double[] volatility = candidate.seat().rules.preference().volatility();
    if (volatility.length == 0) {
      return 0;
    }
    double value = volatility[candidate.seat().lastBar];
    return value > 0 ? 1 / value : 0;
  }
}
