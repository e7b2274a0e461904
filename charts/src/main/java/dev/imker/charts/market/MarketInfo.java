package dev.imker.charts.market;

/** What planning needs to know of a market without its candles. Dates are ISO. */
public record MarketInfo(String name, int bars, String firstDate, String lastDate) {}
