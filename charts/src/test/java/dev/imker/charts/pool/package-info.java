@org.jspecify.annotations.NullMarked
package dev.imker.charts.pool;
