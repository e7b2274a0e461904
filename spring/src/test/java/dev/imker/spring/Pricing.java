package dev.imker.spring;

import java.util.concurrent.CompletableFuture;

/** A bean whose work is done in the pool. */
class Pricing {
  /** The process that a call runs in. */
  record Quote(int price, long process) {}

  private int offset;

  void setOffset(int value) {
    offset = value;
  }

  @ImkerTask
  CompletableFuture<Quote> later(int price) {
    return CompletableFuture.completedFuture(now(price));
  }

  @ImkerTask
  Quote now(int price) {
    return new Quote(price + offset, ProcessHandle.current().pid());
  }

  @ImkerTask
  int refuse(String why) {
    throw new IllegalArgumentException(why);
  }

  Quote here(int price) {
    return new Quote(price + offset, ProcessHandle.current().pid());
  }
}
