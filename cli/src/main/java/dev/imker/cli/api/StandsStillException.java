package dev.imker.cli.api;

import java.io.IOException;

/** A server took a request, and answers neither that nor anything else. */
final class StandsStillException extends IOException {
  private static final long serialVersionUID = 1L;

  StandsStillException(String server) {
    super(server + " does not answer any more");
  }
}
