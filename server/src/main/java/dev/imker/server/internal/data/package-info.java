/** Data sets: named files that the pool stores for everybody's jobs. */
@org.jspecify.annotations.NullMarked
package dev.imker.server.internal.data;
