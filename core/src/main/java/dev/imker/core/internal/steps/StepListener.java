package dev.imker.core.internal.steps;

import dev.imker.model.TaskEvent;
import dev.imker.model.TaskState;

/**
 * Is notified of every step of a task's life cycle; lets tests check which ones they have covered.
 */
public interface StepListener {
  void stepped(TaskState from, TaskEvent event, TaskState to);
}
