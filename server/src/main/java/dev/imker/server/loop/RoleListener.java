package dev.imker.server.loop;

/**
 * What follows from a change of the role of a server; on the loop's thread, so it must not wait.
 */
public interface RoleListener {
  RoleListener NONE = new RoleListener() {};

  /** The state is read and the loop is about to lead. */
  default void leads() {}

  /**
   * The loop follows another server from now on.
   *
   * @param deposed whether it learnt that from the database
   */
  default void follows(boolean deposed) {}
}
