package dev.imker.shipped;

/** Has a native method, whose library cannot be sent. */
public final class Buzzing {
  private Buzzing() {}

  static native int buzz();
}
