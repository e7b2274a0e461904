/** Coordination for running tasks, and its implementation on ZooKeeper. */
@NullMarked
package dev.imker.coord.tasks;

import org.jspecify.annotations.NullMarked;
