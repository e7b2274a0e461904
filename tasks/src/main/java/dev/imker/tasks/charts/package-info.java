/** The API for custom chart indicators. */
@org.jspecify.annotations.NullMarked
package dev.imker.tasks.charts;
