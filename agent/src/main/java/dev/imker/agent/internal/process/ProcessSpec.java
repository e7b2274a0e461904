package dev.imker.agent.internal.process;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What to run, and where. The first element of the command is the program: with a slash it is a
 * path (relative to the folder), without one it is looked up in the PATH of {@code env}. The child
 * gets exactly {@code env}, nothing of the agent's own environment. {@code folder} exists; the
 * files for the two streams are created by the child, private to the user. Without {@code stdin} it
 * reads nothing.
 *
 * @param handed what the child finds in its descriptors {@link #FIRST_HANDED} and following, each
 *     to be read once; nothing of it can be seen by others
 * @param cores on which it may run; empty if on all of the agent's
 */
public record ProcessSpec(
    List<String> command,
    Map<String, String> env,
    Path folder,
    Path stdout,
    Path stderr,
    ProcessPriority priority,
    ProcessLimits limits,
    @Nullable Path stdin,
    List<byte[]> handed,
    BitSet cores) {
  /** The variable that names a task's lease; it marks what the task left behind. */
  public static final String MARK = "IMKER_LEASE";

  /** The first descriptor after input, output and errors. */
  public static final int FIRST_HANDED = 3;

  public ProcessSpec {
    command = List.copyOf(command);
    handed = List.copyOf(handed);
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
    this(
        command,
        env,
        folder,
        stdout,
        stderr,
        priority,
        ProcessLimits.NONE,
        null,
        List.of(),
        new BitSet());
  }

  /**
   * A helper that runs this: in the root folder, with next to no environment, so that nothing of
   * the task reaches it but what is handed to it.
   */
  public ProcessSpec by(
      List<String> helper, Map<String, String> helperEnv, List<byte[]> handedToHelper) {
    return new ProcessSpec(
        helper,
        helperEnv,
        Path.of("/"),
        stdout,
        stderr,
        priority,
        limits,
        stdin,
        handedToHelper,
        cores);
  }

  public ProcessSpec with(ProcessLimits newLimits) {
    return new ProcessSpec(
        command, env, folder, stdout, stderr, priority, newLimits, stdin, handed, cores);
  }

  /** The same with a file to read from. */
  public ProcessSpec reading(Path newStdin) {
    return new ProcessSpec(
        command, env, folder, stdout, stderr, priority, limits, newStdin, handed, cores);
  }

  /** The same on some cores only. */
  public ProcessSpec on(BitSet newCores) {
    return new ProcessSpec(
        command, env, folder, stdout, stderr, priority, limits, stdin, handed, newCores);
  }
}
