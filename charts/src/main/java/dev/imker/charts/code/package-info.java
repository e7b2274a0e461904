/** Indicators in libraries of users: found without loading them, and called. */
@org.jspecify.annotations.NullMarked
package dev.imker.charts.code;
