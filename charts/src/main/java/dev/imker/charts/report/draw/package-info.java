/** What pictures are drawn on: pixels or SVG. */
@org.jspecify.annotations.NullMarked
package dev.imker.charts.report.draw;
