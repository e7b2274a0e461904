package dev.imker.charts.strategy;

import dev.imker.charts.market.Market;
import dev.imker.charts.series.SeriesCache;
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
  private final SeriesCache series;
  private final RuleCompiler compiler;

  public StrategyRunner(Market market) {
    this.market = market;
    this.series = new SeriesCache(market);
    this.compiler = new RuleCompiler(series);
  }

  /** How many indicator series were computed so far. */
  public long seriesComputed() {
    return series.computed();
  }

  /** The bars of a run. */
  public record Span(int firstBar, int lastBar, boolean closeAtEnd) {
    /** The whole market; a position may stay open at the end. */
    public static Span all(Market market) {
      return new Span(0, market.bars() - 1, false);
    }

    public int bars() {
      return lastBar - firstBar + 1;
    }
  }

  /**
   * Runs a strategy over a span of bars.
   *
   * @param detailed whether to keep every trade and the account bar by bar
   * @throws dev.imker.charts.series.UnusableParametersException if the numbers make no sense
   */
  public RunResult run(Strategy strategy, double[] parameters, Span span, boolean detailed) {
    Strategy bound = strategy.bind(parameters);
    compiler.restartUnstableBars();
    Sides longSide = compile(bound.longSide());
    Sides shortSide = compile(bound.shortSide());
    int warmUp =
        bound.warmUpBars() == Strategy.UNTIL_SETTLED ? compiler.unstableBars() : bound.warmUpBars();
    Account account = new Account(market, bound.terms(), span.firstBar(), span.lastBar(), detailed);
    new Walk(longSide, shortSide, bound.terms(), span, account)
        .from(Math.max(span.firstBar(), warmUp));
    return new RunResult(account.figures(span.lastBar()), account.trades(), account.curve());
  }

  private record Sides(Condition enter, Condition exit) {}

  private Sides compile(Strategy.@Nullable Side side) {
    if (side == null) {
      Condition never = new Condition.Fixed(BarSet.none(market.bars()));
      return new Sides(never, never);
    }
    return new Sides(compiler.compile(side.enter()), compiler.compile(side.exit()));
  }

  /** One pass over the bars. */
  private final class Walk {
    private final Sides longSide;
    private final Sides shortSide;
    private final boolean atNextOpen;
    private final Span span;
    private final Account account;
    private final Holding holding = new Holding();

    Walk(Sides longSide, Sides shortSide, Terms terms, Span span, Account account) {
      this.longSide = longSide;
      this.shortSide = shortSide;
      this.atNextOpen = terms.execution() == Terms.Execution.NEXT_OPEN;
      this.span = span;
      this.account = account;
    }

    void from(int start) {
      int last = span.lastBar();
      int bar = start;
      while (bar <= last && !account.isRuined()) {
        int longSignal = longSide.enter().first(bar, last, holding);
        int shortLast = longSignal < 0 ? last : longSignal - 1;
        int shortSignal = shortSide.enter().first(bar, shortLast, holding);
        boolean isLong = shortSignal < 0;
        int signal = isLong ? longSignal : shortSignal;
        int fill = atNextOpen ? signal + 1 : signal;
        if (signal < 0 || fill > last) {
          return;
        }
        double price = atNextOpen ? market.open()[fill] : market.close()[fill];
        bar = account.enter(fill, price, isLong) ? position(fill, isLong) : signal + 1;
      }
    }

    /** Holds the position opened at a bar; returns the first bar of the search for the next. */
    private int position(int fill, boolean isLong) {
      holding.isLong = isLong;
      holding.entryBar = fill;
      holding.netEntryPrice = account.netEntryPrice();
      int next = atNextOpen ? untilNextOpen(fill, isLong) : untilClose(fill, isLong);
      holding.entryBar = Holding.NEVER;
      return next;
    }

    private int untilNextOpen(int fill, boolean isLong) {
      int last = span.lastBar();
      int signal = exit(isLong).first(fill, last - 1, holding);
      if (signal < 0) {
        return untilEnd(fill);
      }
      if (ruined(account.hold(fill, signal))) {
        return last + 1;
      }
      account.exit(signal + 1, market.open()[signal + 1]);
      holding.lastExitBar = signal + 1;
      return signal + 1;
    }

    private int untilClose(int fill, boolean isLong) {
      int last = span.lastBar();
      int signal = exit(isLong).first(fill + 1, last, holding);
      if (signal < 0) {
        return untilEnd(fill);
      }
      if (ruined(account.hold(fill, signal - 1))) {
        return last + 1;
      }
      account.exit(signal, market.close()[signal]);
      holding.lastExitBar = signal;
      return signal + 1;
    }

    private int untilEnd(int fill) {
      int last = span.lastBar();
      if (!span.closeAtEnd()) {
        if (!ruined(account.hold(fill, last))) {
          account.leaveOpen(last);
        }
      } else if (!ruined(account.hold(fill, last - 1))) {
        account.exit(last, market.close()[last]);
      }
      return last + 1;
    }

    private boolean ruined(int bar) {
      if (bar < 0) {
        return false;
      }
      account.liquidate(bar);
      return true;
    }

    private Condition exit(boolean isLong) {
      return isLong ? longSide.exit() : shortSide.exit();
    }
  }
}
