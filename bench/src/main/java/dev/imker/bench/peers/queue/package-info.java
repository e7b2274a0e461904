/** Background job queues on PostgreSQL, as competitors. */
@NullMarked
package dev.imker.bench.peers.queue;

import org.jspecify.annotations.NullMarked;
