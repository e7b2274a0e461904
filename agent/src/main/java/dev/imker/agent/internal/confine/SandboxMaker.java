package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.system.OwnProgram;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A sandbox program that accepts bubblewrap's options.
 *
 * @param own whether it is our own, which is faster, switches to the task's user itself, and always
 *     drops all capabilities
 */
record SandboxMaker(String program, String name, boolean own, boolean closesUserNamespaces) {
  private static final String OWN_NAME = "imker-box";

  /** The programs of this machine, the preferred one first; they may not work. */
  static List<SandboxMaker> all(Programs programs) {
    return Stream.of(OwnProgram.beside(OWN_NAME).flatMap(SandboxMaker::own), bubblewrap(programs))
        .flatMap(Optional::stream)
        .toList();
  }

  /**
   * The filter of system calls is what keeps its tasks from namespaces of their own: none without.
   */
  static Optional<SandboxMaker> own(Path program) {
    return Optional.of(program.toString())
        .filter(_ -> SystemCallFilter.ofThisMachine().isPresent())
        .map(path -> new SandboxMaker(path, asked(path, "--version"), true, true))
        .filter(box -> box.name.startsWith(OWN_NAME));
  }

  static Optional<SandboxMaker> bubblewrap(Programs programs) {
    return programs
        .find("bwrap")
        .map(place -> place.toAbsolutePath().toString())
        .map(
            path ->
                new SandboxMaker(
                    path,
                    asked(path, "--version"),
                    false,
                    asked(path, "--help").contains("--disable-userns")));
  }

  private static String asked(String program, String option) {
    try {
      return Programs.ask(List.of(program, option)).strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
