/** Canvases for pictures: pixels or SVG. */
@org.jspecify.annotations.NullMarked
package dev.imker.charts.report.draw;
