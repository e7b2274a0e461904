/** Indicators in user libraries: found without loading them, and called. */
@org.jspecify.annotations.NullMarked
package dev.imker.charts.code;
