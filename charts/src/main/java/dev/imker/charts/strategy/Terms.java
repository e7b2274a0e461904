package dev.imker.charts.strategy;

import dev.imker.charts.series.Quantity;

/**
 * How orders are filled, sized and charged.
 *
 * @param leverage how many times the account a position may be worth when it is entered; larger
 *     orders are cut
 * @param entries how many signals one after the other a position may be made of
 * @param feeMinimum the least that an order costs
 * @param borrowPercent what a short position costs a year
 * @param riskFreePercent what money earns a year without risk, for the figures that compare with it
 */
public record Terms(
    Execution execution,
    double capital,
    Sizing sizing,
    boolean wholeUnits,
    double leverage,
    int entries,
    Quantity feePercent,
    Quantity feeFixed,
    double feeMinimum,
    double borrowPercent,
    double riskFreePercent,
    Quantity slippagePercent) {
  public static final Terms USUAL =
      new Terms(
          Execution.NEXT_OPEN,
          10_000,
          new Sizing(Sizing.Kind.EQUITY_PERCENT, Quantity.of(100), Quantity.of(0), Quantity.of(0)),
          false,
          1,
          1,
          Quantity.of(0),
          Quantity.of(0),
          0,
          0,
          0,
          Quantity.of(0));

  /** At which price a signal is filled. */
  public enum Execution {
    /** The open of the bar after the signal. */
    NEXT_OPEN,
    /** The close of the bar that gave the signal. */
    CLOSE
  }

  /**
   * How much is bought or sold short.
   *
   * @param second for risk: the distance at which the position would be stopped, in per cent or
   *     average true ranges; for Kelly: per cent of the account until there are trades to judge by
   * @param bars of the average true range or the volatility; for Kelly: how many trades are needed
   */
  public record Sizing(Kind kind, Quantity amount, Quantity second, Quantity bars) {
    Sizing bind(double[] parameters) {
      return new Sizing(
          kind, amount.bind(parameters), second.bind(parameters), bars.bind(parameters));
    }

    /** What the amount means. */
    public enum Kind {
      /** Per cent of the account. */
      EQUITY_PERCENT,
      /** A sum of money, at most the account. */
      CASH,
      /** A number of shares or contracts. */
      UNITS,
      /** Per cent of the account lost when the stop is hit. */
      RISK_PERCENT,
      /** Per cent of the account lost when the price goes so many average true ranges. */
      ATR_RISK_PERCENT,
      /** So much of the account that it moves by so many per cent a year. */
      VOLATILITY_PERCENT,
      /** A share of what Kelly's formula says of the trades so far. */
      KELLY
    }
  }

  Terms bind(double[] parameters) {
    return new Terms(
        execution,
        capital,
        sizing.bind(parameters),
        wholeUnits,
        leverage,
        entries,
        feePercent.bind(parameters),
        feeFixed.bind(parameters),
        feeMinimum,
        borrowPercent,
        riskFreePercent,
        slippagePercent.bind(parameters));
  }
}
