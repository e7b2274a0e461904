package dev.imker.model.job;

/**
 * Results of other tasks that are copied into the work folder. A task with such an input depends on
 * those tasks as if they were named in {@link Stage#after}.
 *
 * @param from where the results come from
 * @param glob which results; if none matches, the task fails with a message
 * @param into folder inside the work folder; empty means the work folder itself. <code>${task}
 *     </code> is replaced by the number of the producing task, so that equal names do not collide;
 *     the producing task's own parameters may be used as well.
 */
public record DataInput(After from, String glob, String into) {}
