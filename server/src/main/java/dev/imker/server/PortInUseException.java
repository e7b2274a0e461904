package dev.imker.server;

import dev.imker.model.ImkerException;
import org.jspecify.annotations.Nullable;

/** The port is in use. */
final class PortInUseException extends ImkerException {
  private static final long serialVersionUID = 1;

  PortInUseException(String host, int port, @Nullable Throwable cause) {
    super(
        "Port %d on %s is used by another program. Stop it, or choose another port with"
                .formatted(port, host)
            + " --port N.",
        cause);
  }
}
