package dev.imker.agent.internal.neighbour;

import java.io.IOException;

/** A screen that reports its input while it is open. */
interface Display extends AutoCloseable {
  /** Milliseconds since the last input of a keyboard, mouse or the like. */
  long idleMillis() throws IOException;

  @Override
  void close() throws IOException;
}
