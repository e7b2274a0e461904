package dev.imker.charts.search;

/** A number that is varied, with the values it takes in ascending order as written. */
public record Parameter(String name, double[] values) {}
