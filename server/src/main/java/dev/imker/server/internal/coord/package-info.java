/**
 * Coordination of running tasks, in the pool's own store or on ZooKeeper, and waking of waiters.
 */
@NullMarked
package dev.imker.server.internal.coord;

import org.jspecify.annotations.NullMarked;
