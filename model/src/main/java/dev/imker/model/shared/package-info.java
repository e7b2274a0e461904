/** Objects that running tasks share: locks, barriers, counters, queues and so on. */
@NullMarked
package dev.imker.model.shared;

import org.jspecify.annotations.NullMarked;
