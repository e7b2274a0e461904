package dev.imker.agent.internal.policy;

import dev.imker.model.ImkerException;

/**
 * A policy file that cannot be followed; the message names the file, the line and what is wrong.
 */
final class PolicyException extends ImkerException {
  private static final long serialVersionUID = 1L;

  PolicyException(String message) {
    super(message);
  }

  PolicyException(String message, Throwable cause) {
    super(message, cause);
  }
}
