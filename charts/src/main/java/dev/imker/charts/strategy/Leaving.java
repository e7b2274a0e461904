package dev.imker.charts.strategy;

/**
 * How a position, or a part of it, is left.
 *
 * @param price of the market
 * @param slips whether what is got for it is worse than that
 * @param lastHeldBar the last bar that was gone through as a whole
 * @param reason for people
 */
record Leaving(double price, boolean slips, int lastHeldBar, String reason) {}
