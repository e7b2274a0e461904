package dev.imker.agent.internal.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The limits that the kernel itself keeps. A process has to have them before its first step,
 * because only what it starts later inherits them; and a sandbox starts something at once.
 */
final class SystemLimits {
  static final String SHELL = "/bin/sh";

  /** The unit in which a shell takes the size of a file. */
  private static final long BLOCK_BYTES = 512;

  private SystemLimits() {}

  /**
   * The words before a command that set limits and then become it; none if there is nothing to set,
   * or no such program: then its start fails by itself, and says why.
   */
  static List<String> before(Path program, ProcessLimits limits) {
    String script = script(limits);
    return script.isEmpty() || !isProgram(program) || !isProgram(Path.of(SHELL))
        ? List.of()
        : List.of(SHELL, "-c", script + "exec \"$@\"", SHELL);
  }

  private static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }

  /** What is limited more strictly already stays so. */
  private static String script(ProcessLimits limits) {
    StringBuilder script = new StringBuilder();
    if (limits.cpuSeconds() > 0) {
      // At the soft limit it is told, at the hard one killed.
      add(script, "-H -t", limits.cpuSeconds() + 1);
      add(script, "-S -t", limits.cpuSeconds());
    }
    if (limits.openFiles() > 0) {
      add(script, "-n", limits.openFiles());
    }
    if (limits.fileBytes() > 0) {
      add(script, "-f", Math.ceilDiv(limits.fileBytes(), BLOCK_BYTES));
      add(script, "-c", 0);
    }
    return script.toString();
  }

  private static void add(StringBuilder script, String what, long limit) {
    script.append("ulimit ").append(what).append(' ').append(limit).append(" 2>/dev/null; ");
  }
}
