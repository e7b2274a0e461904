package dev.imker.charts.strategy;

import dev.imker.charts.market.CommonCalendar;
import dev.imker.charts.outcome.RunResult;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.strategy.PortfolioAccount.Fill;
import dev.imker.charts.strategy.StrategyRunner.Span;
import java.time.LocalDate;
import java.util.List;

/**
 * One pass over the days of many markets. A day goes: dividends come in, orders are filled at the
 * opens (those that leave or reduce positions first), positions are valued at the closes, and the
 * closes decide what is ordered next; with execution at the close that is filled at once.
 */
final class PortfolioWalk {
  private final CommonCalendar calendar;
  private final List<Seat> seats;
  private final PortfolioAccount account;
  private final Span span;
  private final boolean atNextOpen;
  private final double[] curve;
  private final double[] prices;
  private int daysHeld;
  private boolean ruined;

  PortfolioWalk(
      CommonCalendar calendar, List<Seat> seats, PortfolioAccount account, Terms terms, Span span) {
    this.calendar = calendar;
    this.seats = seats;
    this.account = account;
    this.span = span;
    this.atNextOpen = terms.execution() == Terms.Execution.NEXT_OPEN;
    this.curve = new double[span.bars()];
    this.prices = new double[seats.size()];
    for (Seat seat : seats) {
      seat.lastClose = lastCloseBefore(seat);
    }
  }

  /** What a market was worth when the span began; 0 if it had not begun itself. */
  private double lastCloseBefore(Seat seat) {
    for (int day = span.firstBar() - 1; day >= 0; day--) {
      int bar = calendar.bar(seat.place, day);
      if (bar != CommonCalendar.NO_BAR) {
        return seat.market.close()[bar];
      }
    }
    return 0;
  }

  void leg(PortfolioChoice choice, int first, int last, boolean flatAtEnd) {
    for (int day = first; day <= last; day++) {
      if (!ruined) {
        trade(choice, day, flatAtEnd && day == last);
      }
      curve[day - span.firstBar()] = Math.max(0, account.equity(prices));
    }
  }

  private void trade(PortfolioChoice choice, int day, boolean flat) {
    forgetEnded(day);
    carry(day);
    if (atNextOpen) {
      fill(day, false);
    }
    value(day);
    if (account.equity(prices) <= 0) {
      daysHeld++;
      leaveAll(day, "ruin");
      ruined = true;
      return;
    }
    if (flat) {
      flatten(day);
      return;
    }
    choice.decide(day, day == span.firstBar() || isDue(choice, day));
    if (!atNextOpen) {
      fill(day, true);
    }
    leaveEnded(day);
    daysHeld += seats.stream().anyMatch(Seat::isOpen) ? 1 : 0;
  }

  private boolean isDue(PortfolioChoice choice, int day) {
    return choice
        .rebalancing()
        .isDue(
            LocalDate.ofEpochDay(calendar.epochDays()[day - 1]),
            LocalDate.ofEpochDay(calendar.epochDays()[day]));
  }

  /** What positions brought and cost until now; sizes depend on it. */
  private void carry(int day) {
    for (Seat seat : seats) {
      int bar = calendar.bar(seat.place, day);
      if (bar != CommonCalendar.NO_BAR) {
        account.carry(seat, bar);
      }
    }
  }

  private void value(int day) {
    for (Seat seat : seats) {
      int bar = calendar.bar(seat.place, day);
      if (bar != CommonCalendar.NO_BAR) {
        seat.lastBar = bar;
        seat.lastClose = seat.market.close()[bar];
      }
      prices[seat.place] = seat.lastClose;
    }
  }

  /** Fills what waits, in the markets that trade on the day. */
  private void fill(int day, boolean atClose) {
    for (Seat seat : seats) {
      int bar = calendar.bar(seat.place, day);
      boolean opens = bar != CommonCalendar.NO_BAR && !atClose;
      prices[seat.place] = opens ? seat.market.open()[bar] : seat.lastClose;
    }
    List<Seat> due =
        seats.stream()
            .filter(seat -> !seat.order.isEmpty())
            .filter(seat -> calendar.bar(seat.place, day) != CommonCalendar.NO_BAR)
            .toList();
    for (Seat seat : due) {
      if (!seat.order.leave.isEmpty() && seat.isOpen()) {
        account.leave(seat, at(seat, day, atClose), seat.order.leave);
      }
    }
    double equity = account.equity(prices) * account.share();
    List<Seat> taken = due.stream().filter(seat -> seat.order.take).toList();
    for (Seat seat : taken) {
      if (seat.isOpen()) {
        account.trim(seat, at(seat, day, atClose), equity * seat.order.weight);
      }
    }
    for (Seat seat : taken) {
      double money = equity * seat.order.weight;
      account.add(seat, at(seat, day, atClose), seat.order.isLong, money, prices);
    }
    due.forEach(seat -> seat.order.clear());
  }

  private Fill at(Seat seat, int day, boolean atClose) {
    return new Fill(day, calendar.bar(seat.place, day), prices[seat.place], atClose);
  }

  /** What was ordered at the last close of a market is never filled; its place is free again. */
  private void forgetEnded(int day) {
    for (Seat seat : seats) {
      boolean ended =
          seat.lastBar == seat.market.bars() - 1
              && calendar.bar(seat.place, day) == CommonCalendar.NO_BAR;
      if (ended) {
        seat.order.clear();
      }
    }
  }

  /** A market whose data end takes part no longer. */
  private void leaveEnded(int day) {
    for (Seat seat : seats) {
      boolean ended = calendar.bar(seat.place, day) == seat.market.bars() - 1;
      if (ended && seat.isOpen() && day < span.lastBar()) {
        account.leave(seat, at(seat, day, true), "end of data");
        seat.order.clear();
      }
    }
  }

  private void flatten(int day) {
    for (Seat seat : seats) {
      seat.order.clear();
      if (seat.isOpen()) {
        Fill fill = new Fill(day, seat.lastBar, seat.lastClose, true);
        account.leave(seat, fill, "end of window");
      }
    }
  }

  private void leaveAll(int day, String reason) {
    for (Seat seat : seats) {
      seat.order.clear();
      if (seat.isOpen()) {
        account.leaveOpen(seat, day, seat.lastBar, reason);
      }
    }
  }

  void end() {
    leaveAll(span.lastBar(), "");
  }

  RunResult result(Terms terms, boolean detailed, int warmUp) {
    List<Trade> trades = account.trades();
    double[] figures =
        CurveFigures.of(
            terms,
            terms.capital(),
            curve,
            calendar.asMarket(),
            span.firstBar(),
            span.firstBar(),
            trades,
            daysHeld);
    return new RunResult(
        figures,
        detailed ? List.copyOf(trades) : List.of(),
        detailed ? curve : new double[0],
        warmUp,
        account.cutOrders());
  }
}
