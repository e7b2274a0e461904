package dev.imker.cli.terminal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Passes whole lines on, each with a prefix, so that several writers do not mix within a line. The
 * last line gets an end if it has none.
 */
public final class WholeLines extends OutputStream {
  private static final int MAX_LINE_BYTES = 1 << 20;

  private final OutputStream target;
  private final byte[] prefix;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  public WholeLines(OutputStream target, String prefix) {
    this.target = target;
    this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void write(int b) throws IOException {
    line.write(b);
    if (b == '\n' || line.size() >= MAX_LINE_BYTES) {
      pass();
    }
  }

  private void pass() throws IOException {
    synchronized (target) {
      target.write(prefix);
      line.writeTo(target);
      target.flush();
    }
    line.reset();
  }

  @Override
  public void close() throws IOException {
    if (line.size() > 0) {
      line.write('\n');
      pass();
    }
  }
}
