/** READY tasks in the order in which they are handed out. */
@NullMarked
package dev.imker.core.internal.queues;

import org.jspecify.annotations.NullMarked;
