package dev.imker.server.http;

import java.util.List;
import java.util.Optional;

/** Whether this server leads its pool, or which one does. Never blocks. */
public interface Standing {
  boolean leads();

  /** Addresses of all servers of the pool; empty for one that is alone. */
  default List<String> servers() {
    return List.of();
  }

  /** Up to which turn this server knows a pool that another one leads. */
  default Optional<String> position() {
    return Optional.empty();
  }

  /** Address of another server that leads, as far as is known. */
  Optional<String> leader();
}
