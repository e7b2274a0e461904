package dev.imker.model.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;

/** None of the servers gave a complete answer. */
public final class NoAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String server;
  private final IOException why;
  private final boolean mayBeDone;

  NoAnswerException(String server, Call call, IOException why) {
    super("No Imker server answers at " + server + " (" + text(why) + ").", why);
    this.server = server;
    this.why = why;
    this.mayBeDone = !call.repeatable() && !isUnsent(why);
  }

  private static String text(Throwable failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }

  /** The server that was asked last. */
  public String server() {
    return server;
  }

  public IOException why() {
    return why;
  }

  /**
   * Whether the server may have executed the request, so that repeating it would execute it twice.
   */
  public boolean mayBeDone() {
    return mayBeDone;
  }

  static boolean isUnsent(IOException failure) {
    return failure instanceof ConnectException || failure instanceof HttpConnectTimeoutException;
  }
}
