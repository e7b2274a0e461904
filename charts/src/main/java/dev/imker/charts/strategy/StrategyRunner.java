package dev.imker.charts.strategy;

import dev.imker.charts.kernel.SeriesCache;
import dev.imker.charts.kernel.Surroundings;
import dev.imker.charts.market.Market;
import dev.imker.charts.outcome.RunResult;
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
public final class StrategyRunner implements Trader {
  private final Market market;
  private final Surroundings surroundings;
  private final Map<Seeding, RuleCompiler> compilers = new EnumMap<>(Seeding.class);
  private final Map<Seeding, SeriesCache> series = new EnumMap<>(Seeding.class);

  public StrategyRunner(Market market) {
    this(market, Surroundings.NONE);
  }

  public StrategyRunner(Market market, Surroundings surroundings) {
    this.market = market;
    this.surroundings = surroundings;
  }

  private RuleCompiler compiler(Seeding seeding) {
    return compilers.computeIfAbsent(
        seeding, s -> new RuleCompiler(series.computeIfAbsent(s, this::cache)));
  }

  private SeriesCache cache(Seeding seeding) {
    return new SeriesCache(market, seeding, surroundings);
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

  @Override
  public RunResult walk(
      TradingStrategy strategy, List<Leg> legs, Span span, boolean flatBetween, boolean detailed) {
    Terms terms = strategy.bind(legs.getFirst().parameters()).terms();
    TradingAccount account =
        new TradingAccount(market, terms, span.firstBar(), span.lastBar(), detailed);
    Walk walk = new Walk(market, terms, span, account);
    int warmUp = 0;
    for (int i = 0; i < legs.size(); i++) {
      boolean isLast = i + 1 == legs.size();
      int last = isLast ? span.lastBar() : legs.get(i + 1).firstBar() - 1;
      Rules rules = compile(strategy.bind(legs.get(i).parameters()), detailed);
      warmUp = i == 0 ? rules.warmUp() : warmUp;
      account.use(rules.terms(), rules.risk());
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

  Rules compile(TradingStrategy bound, boolean detailed) {
    RuleCompiler compiler = compiler(bound.seeding());
    compiler.restartUnstableBars();
    Rules.Side longSide = compile(bound.longSide(), compiler, detailed);
    Rules.Side shortSide = compile(bound.shortSide(), compiler, detailed);
    double[] risk = compiler.risk(bound.terms().sizing());
    Rules.Preference preference = compiler.preference(bound.portfolio());
    int warmUp =
        bound.warmUpBars() == TradingStrategy.UNTIL_SETTLED
            ? compiler.unstableBars()
            : bound.warmUpBars();
    return new Rules(longSide, shortSide, bound.terms(), risk, preference, warmUp);
  }

  private Rules.Side compile(
      TradingStrategy.@Nullable Side side, RuleCompiler compiler, boolean detailed) {
    if (side == null) {
      Condition never = new Condition.Fixed(BarSet.none(market.bars()));
      return new Rules.Side(never, never, RestingOrders.NONE, List.of());
    }
    return new Rules.Side(
        compiler.compile(side.enter()),
        compiler.compile(side.exit()),
        compiler.compile(side.orders()),
        detailed ? compiler.reasons(side.exit()) : List.of());
  }
}
