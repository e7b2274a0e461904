package dev.imker.server.loop;

import dev.imker.core.message.Outbox;

/** Something for the loop to do. All methods run on the loop's thread and must not wait. */
public interface Command {
  /**
   * Applies it to the live state. An {@link dev.imker.model.ImkerException} refuses this command
   * alone and must come before anything was changed.
   */
  void apply(PoolState pool, long nowMillis, Outbox out);

  /** Whether it only looks, so that a server that follows another can do it as well. */
  default boolean looksOnly() {
    return false;
  }

  /** What {@link #apply} did is on disk: now it may be told. */
  default void committed() {}

  /** It did not happen. */
  default void failed(RuntimeException why) {}
}
