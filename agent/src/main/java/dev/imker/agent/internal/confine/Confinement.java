package dev.imker.agent.internal.confine;

import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.ProcessSpec;
import dev.imker.agent.internal.system.StartFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Turns a task's command into a confined one. Thread-safe. */
public interface Confinement {
  /**
   * The part of the machine that belongs to one task.
   *
   * @param work its work folder, also that of the process
   * @param temporary its folder for temporary files
   * @param network whether it gets the network
   * @param name of the work folder; empty if it has none
   * @param mounts read-only files in its work folder: path there, and the file
   * @param sockets of the agent, by their paths inside
   * @param user owner of the folders, if not the agent's own user
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

  /** Whether tasks run as a different user than the agent. */
  default boolean hasUsers() {
    return false;
  }

  /** The user of another task, if not the agent's own. */
  default Optional<TaskUser> user() throws IOException {
    return Optional.empty();
  }

  /** The agent ends. */
  default void close() throws IOException {}

  /**
   * Whether tasks without network access really have no network, so that they reach the agent
   * through its socket.
   */
  boolean closesNetwork();

  /**
   * Whether tasks with network access have a network of their own, separate from the machine's
   * services.
   */
  boolean hasOutgoing();

  /** Whether tasks are denied what their user may do. */
  default boolean isSandbox() {
    return true;
  }

  /** Why there is no sandbox; empty if there is one. */
  default String why() {
    return "";
  }

  /** Describes the confinement for people. */
  String inWords();
}
