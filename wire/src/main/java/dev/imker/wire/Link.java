package dev.imker.wire;

/** One connection, as a session sees it. All methods may be called by any thread, none blocks. */
public interface Link {

  void write(byte[] bytes, int offset, int length);

  default void write(byte[] frame) {
    write(frame, 0, frame.length);
  }

  /** Runs the task on the thread that also writes, after those handed in before. */
  void execute(Runnable task);

  /** The peer has not read for so long that even control frames accumulate. */
  boolean isClogged();

  /** Ends the connection and notifies the receiver. */
  void close(String reason);

  /** Delivers incoming data to this receiver from now on. */
  void deliverTo(Receiver receiver);

  /** Receives incoming data, one call at a time. */
  interface Receiver {

    void onFrame(Link from, byte[] frame);

    void onClosed(Link link, String reason);
  }
}
