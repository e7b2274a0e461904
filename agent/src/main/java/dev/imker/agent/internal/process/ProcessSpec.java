package dev.imker.agent.internal.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to run and where. The first element of the command is the program: with a slash it is a path
 * (relative to the folder), without one it is looked up in the PATH of {@code env}. The child gets
 * exactly {@code env}, nothing of the agent's own environment. {@code folder} exists; the files for
 * the two streams are created by the child, private to the user. Without {@code stdin} it reads
 * nothing.
 */
public record ProcessSpec(
    List<String> command,
    Map<String, String> env,
    Path folder,
    Path stdout,
    Path stderr,
    ProcessPriority priority,
    ProcessLimits limits,
    @Nullable Path stdin) {
  public ProcessSpec {
    command = List.copyOf(command);
    if (command.isEmpty()) {
      throw new IllegalArgumentException("no program given");
    }
  }

  /** Without limits, and with nothing to read. */
  public ProcessSpec(
      List<String> command,
      Map<String, String> env,
      Path folder,
      Path stdout,
      Path stderr,
      ProcessPriority priority) {
    this(command, env, folder, stdout, stderr, priority, ProcessLimits.NONE, null);
  }

  /** The same with another command and environment: how a sandbox wraps it. */
  public ProcessSpec with(List<String> newCommand, Map<String, String> newEnv) {
    return new ProcessSpec(newCommand, newEnv, folder, stdout, stderr, priority, limits, stdin);
  }

  public ProcessSpec with(ProcessLimits newLimits) {
    return new ProcessSpec(command, env, folder, stdout, stderr, priority, newLimits, stdin);
  }

  /** The same with a file to read from. */
  public ProcessSpec reading(Path newStdin) {
    return new ProcessSpec(command, env, folder, stdout, stderr, priority, limits, newStdin);
  }
}
