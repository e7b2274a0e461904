package dev.imker.charts.report;

import dev.imker.charts.market.Market;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.report.draw.Canvas;
import dev.imker.charts.report.draw.Palette;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import java.util.Arrays;
import java.util.stream.DoubleStream;

/** The pictures of a report, on any canvas. */
final class Pictures {
  static final int WIDTH = 1000;
  static final int HEIGHT = 420;
  static final int TITLE = 14;

  private Pictures() {}

  /** The closes of a market with the entries and exits. */
  static void price(Canvas canvas, Market market, MarketRun run) {
    double[] close = market.close();
    Axes axes = new Axes(canvas, WIDTH, 30, HEIGHT - 30, close.length, Axes.range(close));
    canvas.text(10, 18, market.name() + ": price and trades", TITLE, 0, Palette.INK);
    axes.frame(false);
    axes.dates(market.epochDays());
    axes.line(close, Palette.PRICE);
    for (Trade trade : run.trades()) {
      boolean isLong = trade.side().equals("long");
      marker(canvas, axes, trade.entryBar(), trade.entryPrice(), isLong);
      if (!trade.open()) {
        marker(canvas, axes, trade.exitBar(), trade.exitPrice(), !isLong);
      }
    }
  }

  /** A buy points upwards from below, a sale downwards from above. */
  private static void marker(Canvas canvas, Axes axes, int bar, double price, boolean buy) {
    double x = axes.x(bar);
    double tip = axes.y(price) + (buy ? 3 : -3);
    double foot = tip + (buy ? 8 : -8);
    canvas.area(
        new double[] {x, x - 4, x + 4},
        new double[] {tip, foot, foot},
        buy ? Palette.BUY : Palette.SELL);
  }

  private static double[] range(double[] curve, double[] compared) {
    return Axes.range(DoubleStream.concat(Arrays.stream(curve), Arrays.stream(compared)).toArray());
  }

  /**
   * The account above, its fall from the peak below.
   *
   * @param compared a second line; empty for none
   */
  static void account(
      Canvas canvas, String title, int[] epochDays, double[] curve, double[] compared) {
    double split = HEIGHT * 0.66;
    Axes upper = new Axes(canvas, WIDTH, 30, split, curve.length, range(curve, compared));
    canvas.text(10, 18, title, TITLE, 0, Palette.INK);
    upper.frame(false);
    if (compared.length > 0) {
      upper.line(compared, Palette.COMPARED);
    }
    upper.line(curve, Palette.ACCOUNT);
    double[] falls = falls(curve);
    double[] range = {Axes.range(falls)[0], 0};
    Axes lower = new Axes(canvas, WIDTH, split + 25, HEIGHT - 30, curve.length, range);
    lower.area(falls, Palette.LOSS);
    lower.frame(true);
    lower.dates(epochDays);
  }

  private static double[] falls(double[] curve) {
    double[] falls = new double[curve.length];
    double peak = curve.length == 0 ? 1 : curve[0];
    for (int i = 0; i < curve.length; i++) {
      peak = Math.max(peak, curve[i]);
      falls[i] = peak == 0 ? 0 : curve[i] / peak - 1;
    }
    return falls;
  }
}
