/** Thousands of simulated agents with real sockets. */
@NullMarked
package dev.imker.bench.agents;

import org.jspecify.annotations.NullMarked;
