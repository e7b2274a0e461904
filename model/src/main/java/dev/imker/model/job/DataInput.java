package dev.imker.model.job;

/**
 * Results of other tasks that are laid into the work folder. A task with such an input waits for
 * those tasks as if they were named in {@link Stage#after}.
 *
 * @param from where the results come from
 * @param glob which results; if none matches, the task cannot run and fails with a word about it
 * @param into folder inside the work folder; empty means the work folder itself. <code>${task}
 *     </code> stands for the number of the producing task, so that equal names do not collide; the
 *     producing task's own parameters may be used as well.
 */
public record DataInput(After from, String glob, String into) {}
