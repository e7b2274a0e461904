package dev.imker.server;

import dev.imker.model.connection.JoinLines;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

public interface RunningServer extends AutoCloseable {
  /** Where programs on this machine reach it. */
  URI address();

  int port();

  /** The token for everything; a secret. */
  String adminToken();

  /** All that `imker agent --join` needs, in one word; a secret. */
  String joinToken();

  /**
   * A fresh code by which machines in the local network join for ten minutes; a secret. Empty if
   * they cannot find this server, or if another one may lead and have the code.
   */
  Optional<String> pairingCode();

  /** What makes another machine join, without anything of Imker on it; a secret. */
  JoinLines joinLines();

  /** A link that logs one browser in, once; a secret. */
  String loginLink();

  /**
   * Completed with the cause when the server cannot go on: whoever started it has to close it and
   * to end the process, so that it is seen and started again.
   */
  CompletableFuture<Throwable> failure();

  /** Takes no more requests, finishes what was accepted, and returns when all is on disk. */
  @Override
  void close();
}
