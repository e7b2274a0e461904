package dev.imker.bench.wire;

import java.util.concurrent.CompletableFuture;

/** The one response that a client waits for. */
final class Awaited {

  private volatile CompletableFuture<byte[]> current = new CompletableFuture<>();

  CompletableFuture<byte[]> begin() {
    CompletableFuture<byte[]> next = new CompletableFuture<>();
    current = next;
    return next;
  }

  void complete(byte[] response) {
    current.complete(response);
  }

  void fail(Throwable failure) {
    current.completeExceptionally(failure);
  }
}
