package dev.imker.server.internal.auth;

import dev.imker.model.account.AccountRole;

/** What a caller may do. */
public enum Role {
  /** Everything with everybody's work, except posing as an agent. */
  ADMIN,
  /** Everything with own work. */
  USER,
  /** Look at own work. */
  VIEWER,
  /** An agent whose key is known: fetch what its tasks need and store what they make. */
  AGENT,
  /** Somebody with a join token: knock as an agent, and nothing else. */
  JOIN,
  /** A task that runs: use the blackboard of its project. */
  TASK,
  /** Collect figures, and nothing else. */
  METRICS;

  static Role of(AccountRole role) {
    return switch (role) {
      case ADMIN -> ADMIN;
      case USER -> USER;
      case VIEWER -> VIEWER;
    };
  }

  /** Whether it stands for a person or a person's programs. */
  public boolean isPerson() {
    return this == ADMIN || this == USER || this == VIEWER;
  }
}
