package dev.imker.agent.internal.process;

import dev.imker.agent.internal.system.StartFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds programs in the PATH that a task sees and remembers them, because looking through every
 * folder for every task costs more than starting a small program. Relative entries of PATH are
 * skipped.
 */
final class ProgramPath {
  private static final int REMEMBERED = 512;

  private record Query(String path, String name) {}

  private final Map<Query, String> found = new ConcurrentHashMap<>();

  /**
   * The program to run: as given when it has a slash, otherwise its place in PATH.
   *
   * @throws StartFailedException when no folder of PATH has it
   */
  String resolve(String program, Map<String, String> env) {
    if (program.isEmpty()) {
      throw new StartFailedException("The command has an empty program name.");
    }
    if (program.indexOf('/') >= 0) {
      return program;
    }
    Query query = new Query(env.getOrDefault("PATH", ""), program);
    String known = found.get(query);
    if (known != null) {
      return known;
    }
    String place = search(query);
    if (found.size() >= REMEMBERED) {
      found.clear();
    }
    found.put(query, place);
    return place;
  }

  /** Called when a remembered program turned out to be gone; tells whether it was one. */
  boolean forget(String program, Map<String, String> env) {
    return found.remove(new Query(env.getOrDefault("PATH", ""), program)) != null;
  }

  private static String search(Query query) {
    for (String folder : query.path.split(":", -1)) {
      if (folder.startsWith("/")) {
        Path candidate = Path.of(folder, query.name);
        if (Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
          return candidate.toString();
        }
      }
    }
    throw new StartFailedException(
        "There is no program " + query.name + " on this node (PATH is " + query.path + ").");
  }
}
