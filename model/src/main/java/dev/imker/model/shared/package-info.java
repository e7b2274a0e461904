/** What running tasks share: locks, barriers, counters, queues and the like. */
@NullMarked
package dev.imker.model.shared;

import org.jspecify.annotations.NullMarked;
