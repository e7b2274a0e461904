package dev.imker.training;

import dev.imker.tasks.RemoteCallable;

/** Does nothing. */
public record EmptyCall() implements RemoteCallable<Integer> {
  @Override
  public Integer call() {
    return 0;
  }
}
