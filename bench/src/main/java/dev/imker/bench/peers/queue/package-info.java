/** Libraries that keep background jobs in PostgreSQL, each in a process of its own. */
@NullMarked
package dev.imker.bench.peers.queue;

import org.jspecify.annotations.NullMarked;
