package dev.imker.agent.internal.link;

import dev.imker.wire.Session;
import dev.imker.wire.failure.SessionClosedException;
import java.util.ArrayDeque;

/**
 * Sends on a session without ever making the caller wait, in order. What finds no room waits here
 * and is sent by a thread of its own: were the thread that takes the server's messages to wait, and
 * the server likewise, none of the two would ever go on. What can wait here is bounded by the
 * leases that the server gives.
 */
final class Outflow {
  private final Session session;
  private final ArrayDeque<Object> waiting = new ArrayDeque<>();
  private boolean draining; // guarded by waiting

  Outflow(Session session) {
    this.session = session;
  }

  /**
   * Messages to a closed session are dropped; the next session starts with everything that matters.
   */
  void send(Object message) {
    synchronized (waiting) {
      if (!draining && tryNow(message)) {
        return;
      }
      waiting.add(message);
      if (!draining) {
        draining = true;
        Thread.ofVirtual().name("imker-outflow").start(this::drain);
      }
    }
  }

  private boolean tryNow(Object message) {
    try {
      return session.trySend(message);
    } catch (SessionClosedException e) {
      return true;
    }
  }

  private void drain() {
    while (true) {
      Object message;
      synchronized (waiting) {
        message = waiting.poll();
        if (message == null) {
          draining = false;
          return;
        }
      }
      try {
        session.send(message);
      } catch (SessionClosedException e) {
        // The rest meets the same end, one by one.
      }
    }
  }
}
