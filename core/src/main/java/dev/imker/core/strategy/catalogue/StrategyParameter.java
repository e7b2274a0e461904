package dev.imker.core.strategy.catalogue;

/** A parameter of a strategy; {@code defaultValue} as it would be typed. */
public record StrategyParameter(String name, String defaultValue, String meaning) {}
