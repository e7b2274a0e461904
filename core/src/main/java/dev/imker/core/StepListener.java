package dev.imker.core;

import dev.imker.model.TaskEvent;
import dev.imker.model.TaskState;

/** Hears every step of a task's life; lets tests see which ones they have visited. */
interface StepListener {
  void stepped(TaskState from, TaskEvent event, TaskState to);
}
