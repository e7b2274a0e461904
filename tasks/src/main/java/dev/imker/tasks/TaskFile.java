package dev.imker.tasks;

/**
 * A file that a task left with the pool, see {@link TaskContext#saveFile}. The program that gets it
 * from a call fetches the content with {@code Imker.fetch} or {@code Imker.open}, for as long as
 * the pool keeps the task's job.
 *
 * @param task whose result it is, such as {@code 12.3}
 * @param path its name among the results of the task
 * @param size in bytes
 */
public record TaskFile(String task, String path, long size) {}
