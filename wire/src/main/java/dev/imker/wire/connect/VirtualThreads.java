package dev.imker.wire.connect;

import java.util.concurrent.Executor;

/** Where handlers run unless the application brings its own executor. */
public final class VirtualThreads {

  public static final Executor EXECUTOR =
      task -> Thread.ofVirtual().name("imker-wire-delivery").start(task);

  private VirtualThreads() {}
}
