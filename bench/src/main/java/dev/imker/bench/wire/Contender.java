package dev.imker.bench.wire;

/** A way to move small messages between two processes. */
interface Contender {

  String name();

  /** Serves on a free port of loopback for as long as the process lives. */
  int serve() throws Exception;

  Client connect(int port) throws Exception;

  /** One connection. Messages and requests arrive in the order in which one thread sends them. */
  interface Client extends AutoCloseable {

    /** Sends one way; waits when too much is under way. */
    void send(byte[] payload) throws Exception;

    /** Sends on what {@link #send} may have kept back. */
    default void flush() {}

    /** Sends and waits for the echo, which comes after all that was sent before is consumed. */
    byte[] request(byte[] payload) throws Exception;

    @Override
    void close();
  }
}
