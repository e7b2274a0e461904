package dev.imker.model.account;

/** What the owner of an account may do. */
public enum AccountRole {
  /** Everything, with everybody's work. */
  ADMIN,
  /** Everything with own work. */
  USER,
  /** Look at own work, change nothing. */
  VIEWER
}
