/** The API for Java tasks: tasks, actions, and the context of a running task. */
@NullMarked
package dev.imker.tasks;

import org.jspecify.annotations.NullMarked;
