package dev.imker.shipped;

/** Needs a class with a native method. */
public final class UsesBuzzing {
  private UsesBuzzing() {}

  static int buzz() {
    return Buzzing.buzz();
  }
}
