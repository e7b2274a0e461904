package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.process.StartFailedException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Turns what a task wants to run into what is run: the same, shut in. Thread-safe. */
public interface Confinement {
  /**
   * The part of the machine that belongs to one task.
   *
   * @param work its work folder, also that of the process
   * @param temporary its folder for temporary files
   * @param network whether it gets the network
   * @param name of the work folder; empty if it has none
   * @param mounts files it sees in its work folder and cannot change: path there, and the file
   * @param sockets of the agent, by their paths inside
   */
  record Room(
      Path work,
      Path temporary,
      boolean network,
      String name,
      Map<String, Path> mounts,
      Map<String, Path> sockets) {
    public Room(Path work, Path temporary, boolean network) {
      this(work, temporary, network, "", Map.of(), Map.of());
    }
  }

  /** Whether it can mount files. */
  default boolean mounts() {
    return false;
  }

  /**
   * @throws StartFailedException when there is nothing to run
   */
  ProcessSpec confine(ProcessSpec spec, Room room);

  /** Whom tasks run as, if not as the agent's own user. */
  default Optional<TaskUser> user() {
    return Optional.empty();
  }

  /** Whether tasks are kept from what their user may do. */
  default boolean isSandbox() {
    return true;
  }

  /** Why there is no sandbox; empty if there is one. */
  default String why() {
    return "";
  }

  /** Tells people how tasks are confined. */
  String inWords();

  /** Tasks as plain processes of the agent's user. */
  static Confinement none(String why) {
    return new Confinement() {
      @Override
      public ProcessSpec confine(ProcessSpec spec, Room room) {
        return spec;
      }

      @Override
      public boolean isSandbox() {
        return false;
      }

      @Override
      public String why() {
        return why;
      }

      @Override
      public String inWords() {
        return "none: " + why;
      }
    };
  }
}
