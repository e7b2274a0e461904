/** What coordination offers to running tasks, and how it is done on ZooKeeper. */
@NullMarked
package dev.imker.coord.tasks;

import org.jspecify.annotations.NullMarked;
