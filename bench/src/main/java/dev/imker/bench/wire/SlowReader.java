package dev.imker.bench.wire;

import dev.imker.wire.MessageDirectory;
import dev.imker.wire.Session;
import dev.imker.wire.WireOptions;
import java.io.PrintStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** A reader that stops reading: what both sides hold meanwhile, and how fast it goes on after. */
final class SlowReader {

  private SlowReader() {}

  public static void run(PrintStream out) throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicLong consumed = new AtomicLong();
    CompletableFuture<Session> atServer = new CompletableFuture<>();
    MessageDirectory directory =
        ImkerContender.directory()
            .on(
                byte[].class,
                (session, _) -> {
                  atServer.complete(session);
                  awaitQuietly(gate);
                  consumed.incrementAndGet();
                })
            .build();
    ImkerContender contender = new ImkerContender(false);
    Session sender = contender.open(contender.serve(directory, WireOptions.defaults()));
    byte[] payload = new byte[16];
    long stalledUntil = System.nanoTime() + 2_000_000_000L;
    long sent = 0;
    long mostOut = 0;
    long mostIn = 0;
    while (System.nanoTime() < stalledUntil) {
      if (sender.trySend(payload)) {
        sent++;
      } else {
        mostOut = Math.max(mostOut, sender.stats().heldOutBytes());
        mostIn = Math.max(mostIn, atServer.join().stats().heldInBytes());
      }
    }
    long heldBack = sent;
    gate.countDown();
    long start = System.nanoTime();
    for (int i = 0; i < 2_000_000; i++) {
      sender.send(payload);
    }
    while (consumed.get() < heldBack + 2_000_000) {
      Thread.onSpinWait();
    }
    double rate = 2_000_000 / ((System.nanoTime() - start) / 1e9);
    WireOptions options = WireOptions.defaults();
    out.printf(
        "%n| reader stalled for 2 s | held | limit |%n|---|---:|---:|%n"
            + "| sender, bytes | %,d | %,d |%n| receiver, bytes | %,d | %,d |%n"
            + "| messages/s right after | %,.0f | |%n",
        mostOut,
        options.windowBytes() + options.sendQueueBytes() + WireOptions.COALESCED_FRAME_BYTES,
        mostIn,
        options.windowBytes() + WireOptions.COALESCED_FRAME_BYTES,
        rate);
  }

  private static void awaitQuietly(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
