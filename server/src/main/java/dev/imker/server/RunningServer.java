package dev.imker.server;

import java.net.URI;

/** A server at work. */
public interface RunningServer extends AutoCloseable {
  /** Where programs on this machine reach it. */
  URI address();

  int port();

  /** The token for everything; a secret. */
  String adminToken();

  /** All that `imker agent --join` needs, in one word; a secret. */
  String joinToken();

  /** A link that logs one browser in, once; a secret. */
  String loginLink();

  /** Takes no more requests, finishes what was accepted, and returns when all is on disk. */
  @Override
  void close();
}
