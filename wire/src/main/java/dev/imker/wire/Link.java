package dev.imker.wire;

/** One connection, as a session sees it. All methods may be called by any thread, none blocks. */
public interface Link {

  void write(byte[] bytes, int offset, int length);

  default void write(byte[] frame) {
    write(frame, 0, frame.length);
  }

  /** Runs the task on the thread that also writes, after those handed in before. */
  void execute(Runnable task);

  /** The peer has not read for so long that even control frames pile up. */
  boolean isClogged();

  /** Ends the connection; the receiver hears of it. */
  void close(String reason);

  /** Sends what arrives from now on to this receiver. */
  void deliverTo(Receiver receiver);

  /** Takes what arrives, one call at a time. */
  interface Receiver {

    void onFrame(Link from, byte[] frame);

    void onClosed(Link link, String reason);
  }
}
