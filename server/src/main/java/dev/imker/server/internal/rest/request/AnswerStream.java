package dev.imker.server.internal.rest.request;

import dev.imker.server.http.Exchange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** The rest of an answer as a stream; a slow reader slows the writer. */
public final class AnswerStream extends OutputStream {
  private final Exchange exchange;

  public AnswerStream(Exchange exchange) {
    this.exchange = exchange;
  }

  @Override
  public void write(int one) throws IOException {
    exchange.write(new byte[] {(byte) one});
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    exchange.write(Arrays.copyOfRange(bytes, from, from + length));
  }
}
