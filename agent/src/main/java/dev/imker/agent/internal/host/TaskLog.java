package dev.imker.agent.internal.host;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The output of one task; only the end if it is long. */
final class TaskLog {
  private static final int MAX_BYTES = 1 << 20;
  private static final int KEPT_BYTES = MAX_BYTES / 2;
  private static final int MAX_LINE = 1 << 14;
  private static final ThreadLocal<@Nullable TaskLog> CURRENT = new ThreadLocal<>();

  /** Reads a log while it is written; must not write to it. */
  interface Follower {
    void wrote(long offset, byte[] text);
  }

  private @Nullable Follower follower;
  private long dropped;
  private ByteArrayOutputStream bytes = new ByteArrayOutputStream(0);

  /** From now on what tasks print is theirs; what other threads print goes where it went. */
  static void captureOutput() {
    System.setOut(routed(System.out));
    System.setErr(routed(System.err));
  }

  private static PrintStream routed(PrintStream otherwise) {
    return new PrintStream(new Router(otherwise), true, StandardCharsets.UTF_8);
  }

  void attach() {
    CURRENT.set(this);
  }

  static void detach() {
    CURRENT.remove();
  }

  synchronized void write(byte[] text, int offset, int length) {
    Follower reader = follower;
    if (reader != null) {
      reader.wrote(dropped + bytes.size(), Arrays.copyOfRange(text, offset, offset + length));
    }
    bytes.write(text, offset, length);
    if (bytes.size() > MAX_BYTES) {
      byte[] all = bytes.toByteArray();
      dropped += all.length - KEPT_BYTES;
      bytes = new ByteArrayOutputStream();
      bytes.write(all, all.length - KEPT_BYTES, KEPT_BYTES);
    }
  }

  /** Tells what is there and whatever comes; nobody any more if null. */
  synchronized void follow(@Nullable Follower next) {
    follower = next;
    if (next != null && bytes.size() > 0) {
      next.wrote(dropped, bytes.toByteArray());
    }
  }

  void line(String text) {
    byte[] utf8 = (text + "\n").getBytes(StandardCharsets.UTF_8);
    write(utf8, 0, utf8.length);
  }

  synchronized byte[] toByteArray() {
    if (dropped == 0) {
      return bytes.toByteArray();
    }
    byte[] all = bytes.toByteArray();
    int line = 0;
    for (int i = 0; i < Math.min(all.length - 1, MAX_LINE); i++) {
      if (all[i] == '\n') { // begins with a whole line, unless lines are endless
        line = i + 1;
        break;
      }
    }
    ByteArrayOutputStream marked = new ByteArrayOutputStream();
    marked.writeBytes(
        "… %,d earlier bytes were dropped; only the end of a Java task's log is kept.\n"
            .formatted(dropped + line)
            .getBytes(StandardCharsets.UTF_8));
    marked.write(all, line, all.length - line);
    return marked.toByteArray();
  }

  private static final class Router extends OutputStream {
    private final PrintStream otherwise;

    Router(PrintStream otherwise) {
      this.otherwise = otherwise;
    }

    @Override
    public void write(int octet) {
      write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] text, int offset, int length) {
      TaskLog log = CURRENT.get();
      if (log == null) {
        otherwise.write(text, offset, length);
      } else {
        log.write(text, offset, length);
      }
    }
  }
}
