/** Coordination of running tasks, on ZooKeeper. */
@NullMarked
package dev.imker.coord.tasks;

import org.jspecify.annotations.NullMarked;
