package dev.imker.chaos.simulated;

import org.jspecify.annotations.Nullable;

/** What a pool must never do. Not an exception that anybody in the pool would deal with. */
final class BrokenPromise extends Error {
  private static final long serialVersionUID = 1L;

  public BrokenPromise(String what) {
    super(what);
  }

  public BrokenPromise(String what, @Nullable Throwable cause) {
    super(what, cause);
  }
}
