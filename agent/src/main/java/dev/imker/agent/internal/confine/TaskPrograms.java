package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.system.StartFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Explains which program a task lacks, because the message of a helper program would confuse. */
final class TaskPrograms {
  private TaskPrograms() {}

  /**
   * The program of a task if it belongs to the machine and not to the task.
   *
   * @param work where the work folder is
   * @param seenWork where the task sees it
   * @throws StartFailedException if it cannot be started
   */
  static Optional<Path> check(ProcessSpec spec, Path work, String seenWork) {
    String name = spec.command().getFirst();
    if (name.isEmpty()) {
      throw new StartFailedException("The command has an empty program name.");
    }
    if (name.indexOf('/') < 0) {
      String path = spec.env().getOrDefault("PATH", "");
      return Optional.of(
          new Programs(path)
              .find(name)
              .orElseThrow(
                  () ->
                      new StartFailedException(
                          "There is no program "
                              + name
                              + " on this node (PATH is "
                              + path
                              + ").")));
    }
    if (name.startsWith("/") && !name.startsWith(seenWork + "/")) {
      if (!Files.exists(Path.of(name))) {
        throw new StartFailedException("There is no program " + name + " on this node.");
      }
      return Optional.of(Path.of(name));
    }
    String inWork = name.startsWith("/") ? name.substring(seenWork.length() + 1) : name;
    if (!Files.isExecutable(work.resolve(inWork))) {
      throw new StartFailedException(
          "Could not start " + name + ": it does not exist or is not executable.");
    }
    return Optional.empty();
  }
}
