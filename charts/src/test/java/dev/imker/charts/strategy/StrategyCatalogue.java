package dev.imker.charts.strategy;

import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.AnalysisReader;
import java.time.DayOfWeek;
import java.util.List;
import java.util.function.Function;
import org.ta4j.core.BarSeries;
import org.ta4j.core.BaseStrategy;
import org.ta4j.core.Rule;
import org.ta4j.core.Trade.TradeType;
import org.ta4j.core.indicators.CCIIndicator;
import org.ta4j.core.indicators.MACDIndicator;
import org.ta4j.core.indicators.ParabolicSarIndicator;
import org.ta4j.core.indicators.RSIIndicator;
import org.ta4j.core.indicators.StochasticOscillatorKIndicator;
import org.ta4j.core.indicators.adx.ADXIndicator;
import org.ta4j.core.indicators.adx.MinusDIIndicator;
import org.ta4j.core.indicators.adx.PlusDIIndicator;
import org.ta4j.core.indicators.averages.EMAIndicator;
import org.ta4j.core.indicators.averages.SMAIndicator;
import org.ta4j.core.indicators.bollinger.BollingerBandsLowerIndicator;
import org.ta4j.core.indicators.bollinger.BollingerBandsMiddleIndicator;
import org.ta4j.core.indicators.bollinger.BollingerBandsUpperIndicator;
import org.ta4j.core.indicators.candles.BullishEngulfingIndicator;
import org.ta4j.core.indicators.donchian.DonchianChannelLowerIndicator;
import org.ta4j.core.indicators.donchian.DonchianChannelUpperIndicator;
import org.ta4j.core.indicators.helpers.ClosePriceIndicator;
import org.ta4j.core.indicators.helpers.DateTimeIndicator;
import org.ta4j.core.indicators.helpers.PreviousValueIndicator;
import org.ta4j.core.indicators.statistics.StandardDeviationIndicator;
import org.ta4j.core.rules.AverageTrueRangeStopGainRule;
import org.ta4j.core.rules.AverageTrueRangeStopLossRule;
import org.ta4j.core.rules.AverageTrueRangeTrailingStopLossRule;
import org.ta4j.core.rules.BooleanIndicatorRule;
import org.ta4j.core.rules.CrossedDownIndicatorRule;
import org.ta4j.core.rules.CrossedUpIndicatorRule;
import org.ta4j.core.rules.DayOfWeekRule;
import org.ta4j.core.rules.IsHighestRule;
import org.ta4j.core.rules.IsLowestRule;
import org.ta4j.core.rules.IsRisingRule;
import org.ta4j.core.rules.OpenedPositionMinimumBarCountRule;
import org.ta4j.core.rules.OverIndicatorRule;
import org.ta4j.core.rules.StopGainRule;
import org.ta4j.core.rules.StopLossRule;
import org.ta4j.core.rules.TrailingStopLossRule;
import org.ta4j.core.rules.UnderIndicatorRule;

/** Strategies written twice: as a user writes them here, and with the classes of ta4j. */
final class StrategyCatalogue {
  private StrategyCatalogue() {}

  /** A strategy in both forms. */
  record Pair(
      String name, String yaml, TradeType side, Function<BarSeries, List<Rule>> enterAndExit) {
    TradingStrategy ours(String terms) {
      Analysis analysis =
          AnalysisReader.parse(
              name + ".yaml",
              """
              kind: backtest
              data: {synthetic: {markets: 1}}
              strategy:
                side: %s
                size: {units: 1}
                capital: 1000000
                seed: first
              %s
              %s
              """
                  .formatted(
                      side == TradeType.BUY ? "long" : "short",
                      terms.indent(2).stripTrailing(),
                      yaml.indent(2).stripTrailing()));
      return analysis.strategy();
    }

    org.ta4j.core.Strategy theirs(BarSeries series, int warmUp) {
      List<Rule> rules = enterAndExit.apply(series);
      return new BaseStrategy(name, rules.get(0), rules.get(1), warmUp, side);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Pair> all() {
    return List.of(
        crossingAverages(TradeType.BUY),
        crossingAverages(TradeType.SELL),
        rsi2(),
        macd(),
        bollinger(),
        donchian(),
        stochasticWithTrailing(TradeType.BUY),
        stochasticWithTrailing(TradeType.SELL),
        cciWithAtr(TradeType.BUY),
        cciWithAtr(TradeType.SELL),
        adx(),
        parabolic(),
        weekdays(),
        extremes(),
        pattern());
  }

  private static Pair crossingAverages(TradeType side) {
    return new Pair(
        "crossing averages " + side,
        """
        indicators: {fast: {sma: 8}, slow: {sma: {of: close, bars: 30}}}
        enter: {crossed-up: [fast, slow]}
        exit: [{crossed-down: [fast, slow]}, {stop-loss: 3}, {take-profit: 6}]
        """,
        side,
        s -> {
          ClosePriceIndicator close = new ClosePriceIndicator(s);
          SMAIndicator fast = new SMAIndicator(close, 8);
          SMAIndicator slow = new SMAIndicator(close, 30);
          return List.of(
              new CrossedUpIndicatorRule(fast, slow),
              new CrossedDownIndicatorRule(fast, slow)
                  .or(new StopLossRule(close, 3))
                  .or(new StopGainRule(close, 6)));
        });
  }

  private static Pair rsi2() {
    return new Pair(
        "rsi 2",
        """
        indicators: {r: {rsi: 2}, trend: {sma: 50}, quick: {sma: 5}}
        enter: {and: [{over: [close, trend]}, {under: [r, 15]}, {not: {over: [close, quick]}}]}
        exit: {or: [{over: [close, quick]}, {bars-held: 10}]}
        """,
        TradeType.BUY,
        s -> {
          ClosePriceIndicator close = new ClosePriceIndicator(s);
          RSIIndicator r = new RSIIndicator(close, 2);
          SMAIndicator quick = new SMAIndicator(close, 5);
          return List.of(
              new OverIndicatorRule(close, new SMAIndicator(close, 50))
                  .and(new UnderIndicatorRule(r, 15))
                  .and(new OverIndicatorRule(close, quick).negation()),
              new OverIndicatorRule(close, quick).or(new OpenedPositionMinimumBarCountRule(10)));
        });
  }

  private static Pair macd() {
    return new Pair(
        "macd",
        """
        indicators: {m: {macd: [9, 21]}, signal: {ema: [m, 7]}}
        enter: {crossed-up: [m, signal]}
        exit: {crossed-down: [m, signal]}
        """,
        TradeType.BUY,
        s -> {
          MACDIndicator m = new MACDIndicator(new ClosePriceIndicator(s), 9, 21);
          EMAIndicator signal = new EMAIndicator(m, 7);
          return List.of(
              new CrossedUpIndicatorRule(m, signal), new CrossedDownIndicatorRule(m, signal));
        });
  }

  private static Pair bollinger() {
    return new Pair(
        "bollinger",
        """
        indicators:
          upper: {bollinger-upper: {bars: 15, k: 1.8}}
          lower: {bollinger-lower: {bars: 15, k: 1.8}}
        enter: {crossed-up: [close, lower]}
        exit: {over: [close, upper]}
        """,
        TradeType.BUY,
        s -> {
          ClosePriceIndicator close = new ClosePriceIndicator(s);
          var middle = new BollingerBandsMiddleIndicator(new SMAIndicator(close, 15));
          var deviation = new StandardDeviationIndicator(close, 15);
          var k = s.numFactory().numOf(1.8);
          return List.of(
              new CrossedUpIndicatorRule(
                  close, new BollingerBandsLowerIndicator(middle, deviation, k)),
              new OverIndicatorRule(close, new BollingerBandsUpperIndicator(middle, deviation, k)));
        });
  }

  private static Pair donchian() {
    return new Pair(
        "donchian",
        """
        indicators:
          top: {previous: {of: {donchian-upper: 20}}}
          bottom: {previous: {of: {donchian-lower: 10}}}
        enter: {over: [close, top]}
        exit: {under: [close, bottom]}
        """,
        TradeType.BUY,
        s -> {
          ClosePriceIndicator close = new ClosePriceIndicator(s);
          return List.of(
              new OverIndicatorRule(
                  close, new PreviousValueIndicator(new DonchianChannelUpperIndicator(s, 20))),
              new UnderIndicatorRule(
                  close, new PreviousValueIndicator(new DonchianChannelLowerIndicator(s, 10))));
        });
  }

  private static Pair stochasticWithTrailing(TradeType side) {
    return new Pair(
        "stochastic with trailing stop " + side,
        """
        indicators: {k: {stochastic-k: 14}}
        enter: {crossed-up: [k, 20]}
        exit: [{trailing-stop: 4}, {crossed-down: [k, 80]}]
        """,
        side,
        s -> {
          var k = new StochasticOscillatorKIndicator(s, 14);
          return List.of(
              new CrossedUpIndicatorRule(k, 20),
              new TrailingStopLossRule(new ClosePriceIndicator(s), s.numFactory().numOf(4))
                  .or(new CrossedDownIndicatorRule(k, 80)));
        });
  }

  private static Pair cciWithAtr(TradeType side) {
    return new Pair(
        "cci with atr stops " + side,
        """
        indicators: {c: {cci: 20}}
        enter: {crossed-up: [c, -100]}
        exit:
          - atr-stop-loss: {bars: 10, factor: 1.5}
          - atr-take-profit: {bars: 10, factor: 3}
          - atr-trailing-stop: {bars: 12, factor: 2.5}
        """,
        side,
        s ->
            List.of(
                new CrossedUpIndicatorRule(new CCIIndicator(s, 20), -100),
                new AverageTrueRangeStopLossRule(s, 10, 1.5)
                    .or(new AverageTrueRangeStopGainRule(s, 10, 3))
                    .or(new AverageTrueRangeTrailingStopLossRule(s, 12, 2.5))));
  }

  private static Pair adx() {
    return new Pair(
        "adx",
        """
        indicators: {strength: {adx: 10}, up: {plus-di: 10}, down: {minus-di: 10}}
        enter: [{over: [strength, 20]}, {crossed-up: [up, down]}]
        exit: {crossed-down: [up, down]}
        """,
        TradeType.BUY,
        s -> {
          var up = new PlusDIIndicator(s, 10);
          var down = new MinusDIIndicator(s, 10);
          return List.of(
              new OverIndicatorRule(new ADXIndicator(s, 10), 20)
                  .and(new CrossedUpIndicatorRule(up, down)),
              new CrossedDownIndicatorRule(up, down));
        });
  }

  private static Pair parabolic() {
    return new Pair(
        "parabolic",
        """
        indicators: {stop: psar}
        enter: {crossed-up: [close, stop]}
        exit: {crossed-down: [close, stop]}
        """,
        TradeType.BUY,
        s -> {
          ClosePriceIndicator close = new ClosePriceIndicator(s);
          ParabolicSarIndicator stop = new ParabolicSarIndicator(s);
          return List.of(
              new CrossedUpIndicatorRule(close, stop), new CrossedDownIndicatorRule(close, stop));
        });
  }

  private static Pair weekdays() {
    return new Pair(
        "weekdays",
        """
        enter: [{weekday: monday}, {rising: {of: {ema: 12}, bars: 2}}]
        exit: {weekday: [thursday, fri]}
        """,
        TradeType.BUY,
        s -> {
          DateTimeIndicator time = new DateTimeIndicator(s);
          EMAIndicator ema = new EMAIndicator(new ClosePriceIndicator(s), 12);
          return List.of(
              new DayOfWeekRule(time, DayOfWeek.MONDAY).and(new IsRisingRule(ema, 2)),
              new DayOfWeekRule(time, DayOfWeek.THURSDAY, DayOfWeek.FRIDAY));
        });
  }

  private static Pair extremes() {
    return new Pair(
        "extremes",
        """
        enter: {highest: {bars: 15}}
        exit: {lowest: {bars: 8}}
        """,
        TradeType.BUY,
        s -> {
          ClosePriceIndicator close = new ClosePriceIndicator(s);
          return List.of(new IsHighestRule(close, 15), new IsLowestRule(close, 8));
        });
  }

  private static Pair pattern() {
    return new Pair(
        "candle pattern",
        """
        enter: bullish-engulfing
        exit: {bars-held: 5}
        """,
        TradeType.BUY,
        s ->
            List.of(
                new BooleanIndicatorRule(new BullishEngulfingIndicator(s)),
                new OpenedPositionMinimumBarCountRule(5)));
  }
}
