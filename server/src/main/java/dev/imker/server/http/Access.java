package dev.imker.server.http;

import dev.imker.server.internal.auth.Role;

/** Who may use a route. The answer may depend on the caller. */
public enum Access {
  /** Everybody, without a token. */
  OPEN,
  /** People, and agents whose key is known. */
  KNOWN,
  /** People: to look at things, and to look after their own account. */
  LOOK,
  /** People who may change something. */
  WORK,
  /** People who may change something, and agents. */
  STORE,
  /** Tasks that run, and people who may look. */
  BOARD_LOOK,
  /** Tasks that run, and people who may change something. */
  BOARD_POST,
  /** Tasks that run, for as long as they do. */
  TASK,
  /** Whoever collects figures, and admins. */
  METRICS,
  ADMIN,
  /** Whoever has a join token; who it is turns out afterwards, by its key. */
  JOIN;

  boolean allows(Role role) {
    return switch (this) {
      case OPEN -> true;
      case KNOWN -> role.isPerson() || role == Role.AGENT;
      case LOOK -> role.isPerson();
      case WORK -> works(role);
      case STORE -> works(role) || role == Role.AGENT;
      case BOARD_LOOK -> role.isPerson() || role == Role.TASK;
      case BOARD_POST -> works(role) || role == Role.TASK;
      case TASK -> role == Role.TASK;
      case METRICS -> role == Role.ADMIN || role == Role.METRICS;
      case ADMIN -> role == Role.ADMIN;
      case JOIN -> role == Role.JOIN;
    };
  }

  private static boolean works(Role role) {
    return role == Role.ADMIN || role == Role.USER;
  }
}
