package dev.imker.wire;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A connection without a network: frames go straight to the other end's own thread. */
final class JoinedLink implements Link, AutoCloseable {

  private final ExecutorService loop =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
  private final List<byte[]> written = new ArrayList<>();
  private volatile JoinedLink other = this;
  private volatile Receiver receiver =
      new Receiver() {
        @Override
        public void onFrame(Link from, byte[] frame) {}

        @Override
        public void onClosed(Link link, String reason) {}
      };

  /** Joins two ends. */
  static void join(JoinedLink one, JoinedLink two) {
    one.other = two;
    two.other = one;
  }

  /** Delivers a frame as if the peer had sent it. */
  void receive(byte[] frame) {
    execute(() -> receiver.onFrame(this, frame));
  }

  synchronized List<byte[]> written() {
    return List.copyOf(written);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    byte[] frame = Arrays.copyOfRange(bytes, offset, offset + length);
    JoinedLink peer = other;
    if (peer != this) {
      peer.receive(frame);
    } else {
      synchronized (this) {
        written.add(frame);
      }
    }
  }

  @Override
  public void execute(Runnable task) {
    loop.execute(task);
  }

  @Override
  public boolean isClogged() {
    return false;
  }

  @Override
  public void close(String reason) {
    execute(() -> receiver.onClosed(this, reason));
  }

  @Override
  public void deliverTo(Receiver next) {
    receiver = next;
  }

  @Override
  public void close() {
    loop.shutdownNow();
  }
}
