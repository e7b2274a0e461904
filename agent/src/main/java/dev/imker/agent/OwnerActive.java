package dev.imker.agent;

/** By which signs of its owner an agent freezes its tasks. */
public enum OwnerActive {
  /** By none. */
  NO,
  /** Input at a screen of the machine; not in terminals, which scripts and remote logins have. */
  SCREEN,
  /** Input anywhere, also in terminals. */
  YES
}
