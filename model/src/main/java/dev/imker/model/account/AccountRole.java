package dev.imker.model.account;

/** What the owner of an account may do. */
public enum AccountRole {
  /** May do everything, with everybody's work. */
  ADMIN,
  /** May do everything with their own work. */
  USER,
  /** May see their own work, but change nothing. */
  VIEWER
}
