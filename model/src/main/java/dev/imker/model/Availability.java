package dev.imker.model;

/** What happened to a node; the order is part of the stored form. */
public enum Availability {
  /** It fell silent or died. */
  DOWN,
  /** It appeared, and its up-time began. */
  UP,
  /** It left on purpose: drained and stopped. */
  LEFT,
  /** It is still there after the server was away: its up-time continues. */
  BACK
}
