package dev.imker.charts.strategy;

import dev.imker.charts.kernel.SeriesCache;
import dev.imker.charts.market.Market;
import dev.imker.charts.series.Seeding;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Simulates a trader who follows a strategy on one market. Series and sets of bars are shared by
 * all runs of one runner, so one runner should do all the combinations of a market. For one thread.
 *
 * <p>A signal at a bar is known at its close. It is filled at that close or at the next open, as
 * the terms say; nothing ever depends on a later bar.
 */
public final class StrategyRunner {
  private final Market market;
  private final Map<Seeding, RuleCompiler> compilers = new EnumMap<>(Seeding.class);
  private final Map<Seeding, SeriesCache> series = new EnumMap<>(Seeding.class);

  public StrategyRunner(Market market) {
    this.market = market;
  }

  private RuleCompiler compiler(Seeding seeding) {
    return compilers.computeIfAbsent(
        seeding, s -> new RuleCompiler(series.computeIfAbsent(s, t -> new SeriesCache(market, t))));
  }

  /** How many indicator series were computed so far. */
  public long seriesComputed() {
    return series.values().stream().mapToLong(SeriesCache::computed).sum();
  }

  public record Span(int firstBar, int lastBar, boolean closeAtEnd) {
    /** The whole market; a position may stay open at the end. */
    public static Span all(Market market) {
      return new Span(0, market.bars() - 1, false);
    }

    public int bars() {
      return lastBar - firstBar + 1;
    }
  }

  /** The bars from one on that are traded with some parameters. */
  public record Leg(int firstBar, double[] parameters) {}

  /**
   * Runs a strategy over a span of bars.
   *
   * @param detailed whether to keep every trade and the account bar by bar
   * @throws dev.imker.charts.series.UnusableParametersException if the numbers make no sense
   */
  public RunResult run(TradingStrategy strategy, double[] parameters, Span span, boolean detailed) {
    return walk(strategy, List.of(new Leg(span.firstBar(), parameters)), span, false, detailed);
  }

  /**
   * Runs a strategy whose parameters change on the way. There is one account; a position goes on
   * from leg to leg, under the rules of the leg it is in.
   *
   * @param legs in the order of their bars; the first begins with the span
   * @param flatBetween whether a position is closed with the last bar of a leg instead
   */
  public RunResult walk(
      TradingStrategy strategy, List<Leg> legs, Span span, boolean flatBetween, boolean detailed) {
    Terms terms = strategy.bind(legs.getFirst().parameters()).terms();
    TradingAccount account =
        new TradingAccount(market, terms, span.firstBar(), span.lastBar(), detailed);
    Walk walk = new Walk(terms, span, account);
    int warmUp = 0;
    for (int i = 0; i < legs.size(); i++) {
      boolean isLast = i + 1 == legs.size();
      int last = isLast ? span.lastBar() : legs.get(i + 1).firstBar() - 1;
      Rules rules = compile(strategy.bind(legs.get(i).parameters()));
      warmUp = i == 0 ? rules.warmUp : warmUp;
      account.use(rules.terms);
      walk.leg(rules, legs.get(i).firstBar(), last, isLast ? span.closeAtEnd() : flatBetween);
    }
    walk.end();
    return new RunResult(
        account.figures(span.lastBar()),
        account.trades(),
        account.curve(),
        warmUp,
        account.cutOrders());
  }

  private record Sides(Condition enter, Condition exit) {}

  private record Rules(Sides longSide, Sides shortSide, Terms terms, int warmUp) {
    Condition exit(boolean isLong) {
      return isLong ? longSide.exit : shortSide.exit;
    }

    Condition enter(boolean isLong) {
      return isLong ? longSide.enter : shortSide.enter;
    }
  }

  private Rules compile(TradingStrategy bound) {
    RuleCompiler compiler = compiler(bound.seeding());
    compiler.restartUnstableBars();
    Sides longSide = compile(bound.longSide(), compiler);
    Sides shortSide = compile(bound.shortSide(), compiler);
    int warmUp =
        bound.warmUpBars() == TradingStrategy.UNTIL_SETTLED
            ? compiler.unstableBars()
            : bound.warmUpBars();
    return new Rules(longSide, shortSide, bound.terms(), warmUp);
  }

  private Sides compile(TradingStrategy.@Nullable Side side, RuleCompiler compiler) {
    if (side == null) {
      Condition never = new Condition.Fixed(BarSet.none(market.bars()));
      return new Sides(never, never);
    }
    return new Sides(compiler.compile(side.enter()), compiler.compile(side.exit()));
  }

  /** One pass over the bars. */
  private final class Walk {
    private final boolean atNextOpen;
    private final Span span;
    private final TradingAccount account;
    private final Holding holding = new Holding();

    /** The next bar whose close may give a signal. */
    private int bar;

    /** The next bar to be valued while a position is open. */
    private int valued;

    Walk(Terms terms, Span span, TradingAccount account) {
      this.atNextOpen = terms.execution() == Terms.Execution.NEXT_OPEN;
      this.span = span;
      this.account = account;
      this.bar = span.firstBar();
    }

    void leg(Rules rules, int first, int last, boolean closeAtEnd) {
      bar = Math.max(bar, first);
      while (bar <= last && !account.isRuined()) {
        if (holding.isOpen()) {
          hold(rules, last, closeAtEnd);
        } else {
          search(rules, last, closeAtEnd);
        }
      }
      if (closeAtEnd && holding.isOpen() && !value(last - 1)) {
        leave(last, market.close()[last]);
      }
    }

    void end() {
      if (holding.isOpen() && !value(span.lastBar())) {
        account.leaveOpen(span.lastBar());
      }
    }

    private void search(Rules rules, int last, boolean closeAtEnd) {
      int from = Math.max(bar, rules.warmUp);
      int longSignal = rules.longSide.enter.first(from, last, holding);
      int shortLast = longSignal < 0 ? last : longSignal - 1;
      int shortSignal = rules.shortSide.enter.first(from, shortLast, holding);
      boolean isLong = shortSignal < 0;
      int signal = isLong ? longSignal : shortSignal;
      bar = last + 1;
      if (signal >= 0) {
        enter(signal, isLong, closeAtEnd ? last : span.lastBar());
      }
    }

    private void enter(int signal, boolean isLong, int latestFill) {
      int fill = atNextOpen ? signal + 1 : signal;
      bar = signal + 1;
      if (fill > latestFill) {
        return;
      }
      double price = atNextOpen ? market.open()[fill] : market.close()[fill];
      if (account.enter(fill, price, isLong)) {
        holding.isLong = isLong;
        holding.entryBar = fill;
        holding.entryPrice = account.entryPrice();
        valued = fill;
      }
    }

    /** Holds the position until the leg's last bar or the first signal to leave it. */
    private void hold(Rules rules, int last, boolean closeAtEnd) {
      boolean isLong = holding.isLong;
      int latestFill = closeAtEnd ? last : span.lastBar();
      int latest = Math.min(last, atNextOpen ? latestFill - 1 : last);
      int from = Math.max(bar, atNextOpen ? holding.entryBar : holding.entryBar + 1);
      int signal = rules.exit(isLong).first(from, latest, holding);
      bar = signal < 0 ? last + 1 : signal + 1;
      if (signal < 0) {
        value(closeAtEnd ? last - 1 : last);
        return;
      }
      if (value(atNextOpen ? signal : signal - 1)) {
        return;
      }
      int fill = atNextOpen ? signal + 1 : signal;
      leave(fill, atNextOpen ? market.open()[fill] : market.close()[fill]);
      if (signal >= rules.warmUp
          && !account.isRuined()
          && rules.enter(!isLong).holds(signal, holding)) {
        enter(signal, !isLong, latestFill); // the same signal turns the position round
      }
    }

    private void leave(int fill, double price) {
      account.exit(fill, price);
      holding.entryBar = Holding.NEVER;
      holding.lastExitBar = fill;
    }

    /** Values the position up to a bar; returns whether that was the account's ruin. */
    private boolean value(int last) {
      int ruin = account.hold(valued, last);
      valued = Math.max(valued, last + 1);
      if (ruin < 0) {
        return false;
      }
      account.liquidate(ruin);
      holding.entryBar = Holding.NEVER;
      return true;
    }
  }
}
