package dev.imker.server.http;

import dev.imker.server.auth.Role;

/** Who may use a route. */
public enum Access {
  /** Everybody, without a token. */
  OPEN,
  /** Everybody with a valid token. */
  KNOWN,
  ADMIN,
  AGENT;

  boolean allows(Role role) {
    return switch (this) {
      case OPEN, KNOWN -> true;
      case ADMIN -> role == Role.ADMIN;
      case AGENT -> role == Role.AGENT;
    };
  }
}
