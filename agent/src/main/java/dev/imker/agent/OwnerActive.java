package dev.imker.agent;

/** The signs of its owner's activity upon which an agent freezes its tasks. */
public enum OwnerActive {
  /** Never. */
  NO,
  /** Input at a screen of the machine; not in terminals, which scripts and remote logins have. */
  SCREEN,
  /** Input anywhere, also in terminals. */
  YES
}
