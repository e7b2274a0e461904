/** Analyses as tasks of a pool: how they are cut, and what a task does. */
@org.jspecify.annotations.NullMarked
package dev.imker.charts.pool;
