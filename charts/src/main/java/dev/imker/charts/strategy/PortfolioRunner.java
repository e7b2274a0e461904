package dev.imker.charts.strategy;

import dev.imker.charts.ChartException;
import dev.imker.charts.NearestName;
import dev.imker.charts.kernel.Surroundings;
import dev.imker.charts.market.CommonCalendar;
import dev.imker.charts.market.Market;
import dev.imker.charts.outcome.RunResult;
import dev.imker.charts.strategy.StrategyRunner.Leg;
import dev.imker.charts.strategy.StrategyRunner.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Simulates a trader who follows a strategy on many markets with one account. Bars are the days of
 * the common calendar. For one thread.
 */
public final class PortfolioRunner implements Trader {
  private final CommonCalendar calendar;
  private final List<StrategyRunner> runners;

  public PortfolioRunner(CommonCalendar calendar, Surroundings surroundings) {
    this.calendar = calendar;
    this.runners =
        calendar.members().stream()
            .map(market -> new StrategyRunner(market, surroundings))
            .toList();
  }

  @Override
  public RunResult walk(
      TradingStrategy strategy, List<Leg> legs, Span span, boolean flatBetween, boolean detailed) {
    TradingStrategy start = strategy.bind(legs.getFirst().parameters());
    checkNames(Objects.requireNonNull(start.portfolio()));
    List<Seat> seats = seats(start, detailed);
    int warmUp = seats.stream().mapToInt(seat -> seat.rules.warmUp()).min().orElse(0);
    PortfolioAccount account = new PortfolioAccount(seats, start.terms());
    PortfolioWalk walk = new PortfolioWalk(calendar, seats, account, start.terms(), span);
    for (int i = 0; i < legs.size(); i++) {
      boolean isLast = i + 1 == legs.size();
      int last = isLast ? span.lastBar() : legs.get(i + 1).firstBar() - 1;
      TradingStrategy bound = strategy.bind(legs.get(i).parameters());
      if (i > 0) {
        seats.forEach(seat -> seat.rules = runners.get(seat.place).compile(bound, detailed));
      }
      account.use(bound.terms());
      PortfolioChoice choice =
          new PortfolioChoice(calendar, seats, Objects.requireNonNull(bound.portfolio()));
      walk.leg(choice, legs.get(i).firstBar(), last, isLast ? span.closeAtEnd() : flatBetween);
    }
    walk.end();
    return walk.result(start.terms(), detailed, warmUp);
  }

  private List<Seat> seats(TradingStrategy bound, boolean detailed) {
    List<Seat> seats = new ArrayList<>();
    for (int i = 0; i < runners.size(); i++) {
      Market market = calendar.members().get(i);
      seats.add(new Seat(market, i, runners.get(i).compile(bound, detailed)));
    }
    return seats;
  }

  private void checkNames(Portfolio portfolio) {
    List<String> known = calendar.members().stream().map(Market::name).toList();
    for (String name : portfolio.fixedWeights().keySet()) {
      if (!known.contains(name)) {
        throw new ChartException(
            "strategy.portfolio.weights: there is no market '%s'.%s"
                .formatted(name, NearestName.hint(name, known)));
      }
    }
  }
}
