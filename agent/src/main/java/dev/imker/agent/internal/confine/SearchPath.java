package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The part of personal installations that the sandbox shows: a program folder in the agent's search
 * path is meant to be used, wherever it is. Of {@code P/bin} that is the folder itself and {@code
 * P/lib}; of an environment of Python or Conda, which is a file tree of its own, all of it.
 */
final class SearchPath {
  private static final List<String> BESIDES = List.of("lib", "lib64", "libexec");
  private static final List<String> ENVIRONMENTS = List.of("pyvenv.cfg", "conda-meta");

  private SearchPath() {}

  static List<Path> shown(Programs programs) {
    Set<Path> shown = new LinkedHashSet<>();
    for (Path folder : programs.folders()) {
      try {
        if (folder.isAbsolute() && Files.isDirectory(folder)) {
          add(shown, folder.normalize());
          add(shown, folder.toRealPath());
        }
      } catch (IOException e) {
        shown.remove(folder); // cannot be read, and so not be used
      }
    }
    return new ArrayList<>(shown);
  }

  private static void add(Set<Path> shown, Path folder) {
    Path parent = folder.getParent();
    if (parent == null || parent.getNameCount() < 2) {
      return; // of the system, which is shown anyway, or not the name of an installation
    }
    if (folder.endsWith("shims")) { // programs that call those of a tool for several versions
      shown.add(parent);
      return;
    }
    if (ENVIRONMENTS.stream().anyMatch(name -> Files.exists(parent.resolve(name)))) {
      shown.add(parent);
      return;
    }
    shown.add(folder);
    if (folder.getFileName().toString().equals("bin")) {
      BESIDES.stream().map(parent::resolve).filter(Files::isDirectory).forEach(shown::add);
    }
  }
}
