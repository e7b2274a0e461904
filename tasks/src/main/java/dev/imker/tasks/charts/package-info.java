/** What own indicators for chart analyses are written with. */
@org.jspecify.annotations.NullMarked
package dev.imker.tasks.charts;
