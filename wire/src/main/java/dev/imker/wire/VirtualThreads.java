package dev.imker.wire;

import java.util.concurrent.Executor;

/** Where handlers run unless the application brings its own executor. */
final class VirtualThreads {

  static final Executor EXECUTOR =
      task -> Thread.ofVirtual().name("imker-wire-delivery").start(task);

  private VirtualThreads() {}
}
