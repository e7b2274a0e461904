package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.system.StartFailedException;
import java.io.IOException;
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
   * @param user whose the folders are, if not the agent's own
   */
  record Room(
      Path work,
      Path temporary,
      boolean network,
      String name,
      Map<String, Path> mounts,
      Map<String, Path> sockets,
      Optional<TaskUser> user) {
    public Room(Path work, Path temporary, boolean network, Optional<TaskUser> user) {
      this(work, temporary, network, "", Map.of(), Map.of(), user);
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

  /** Whether tasks run as somebody else than the agent's own user. */
  default boolean hasUsers() {
    return false;
  }

  /** Whom another task runs as, if not as the agent's own user. */
  default Optional<TaskUser> user() throws IOException {
    return Optional.empty();
  }

  /** The agent ends. */
  default void close() throws IOException {}

  /** Whether tasks without the network have none, so that they reach the agent by its socket. */
  boolean closesNetwork();

  /**
   * Whether tasks with the network have one of their own, away from what the machine listens to.
   */
  boolean hasOutgoing();

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
}
