/** What Java tasks are programmed against: tasks, actions, and what a task knows of its run. */
@NullMarked
package dev.imker.tasks;

import org.jspecify.annotations.NullMarked;
