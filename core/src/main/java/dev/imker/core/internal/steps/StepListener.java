package dev.imker.core.internal.steps;

import dev.imker.model.TaskEvent;
import dev.imker.model.TaskState;

/** Hears every step of a task's life; lets tests see which ones they have visited. */
public interface StepListener {
  void stepped(TaskState from, TaskEvent event, TaskState to);
}
