package dev.imker.agent.internal.host;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Frames over a local socket: length, type, number of the run, content. Any thread may send; while
 * one writes to the socket, frames of others are gathered and sent together.
 */
final class FrameChannel implements Closeable {
  private static final int HEAD_BYTES = 4 + 1 + 8;
  private static final int MAX_BYTES = 256 << 20;

  /** The maximum memory allocated before the content has arrived. */
  private static final int MAX_STEP_BYTES = 1 << 20;

  record Frame(FrameType type, long run, byte[] content) {
    DataInputStream open() {
      return new DataInputStream(new ByteArrayInputStream(content));
    }
  }

  /** Writes the content of a frame. */
  interface Content {
    void writeTo(DataOutputStream out) throws IOException;
  }

  private final SocketChannel socket;
  private final Object lock = new Object();
  private ByteArrayOutputStream pending = new ByteArrayOutputStream();
  private boolean flushing;
  private ByteBuffer input = ByteBuffer.allocate(64 << 10).flip();

  FrameChannel(SocketChannel socket) {
    this.socket = socket;
  }

  static byte[] content(Content content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      content.writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** A byte string of any length, which {@link #readBytes} reads. */
  static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static byte[] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new EOFException("a byte string longer than its frame");
    }
    return in.readNBytes(length);
  }

  void send(FrameType type, long run, byte[] content) throws IOException {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
    head.putInt(content.length).put((byte) type.ordinal()).putLong(run);
    synchronized (lock) {
      pending.writeBytes(head.array());
      pending.writeBytes(content);
      if (flushing) {
        return;
      }
      flushing = true;
    }
    flush();
  }

  private void flush() throws IOException {
    while (true) {
      byte[] bytes;
      synchronized (lock) {
        if (pending.size() == 0) {
          flushing = false;
          return;
        }
        bytes = pending.toByteArray();
        pending = new ByteArrayOutputStream();
      }
      ByteBuffer out = ByteBuffer.wrap(bytes);
      while (out.hasRemaining()) {
        socket.write(out);
      }
    }
  }

  /** The next frame, or null at the end; on one thread only. */
  @Nullable Frame read() throws IOException {
    if (!fill(HEAD_BYTES)) {
      return null;
    }
    int length = input.getInt();
    int type = input.get();
    long run = input.getLong();
    FrameType[] types = FrameType.values();
    if (length < 0 || length > MAX_BYTES || type < 0 || type >= types.length) {
      throw new IOException("not a frame");
    }
    return new Frame(types[type], run, content(length));
  }

  /** A claimed length allocates memory only as content arrives. */
  private byte[] content(int length) throws IOException {
    byte[] content = new byte[Math.min(length, MAX_STEP_BYTES)];
    int read = 0;
    while (read < length) {
      if (read == content.length) {
        content = Arrays.copyOf(content, (int) Math.min(length, 2L * read));
      }
      int step = Math.min(content.length - read, MAX_STEP_BYTES);
      if (!fill(step)) {
        throw new EOFException("cut off in a frame");
      }
      input.get(content, read, step);
      read += step;
    }
    return content;
  }

  /** Has so many bytes in the buffer; false at the end of the stream. */
  private boolean fill(int octets) throws IOException {
    if (input.remaining() >= octets) {
      return true;
    }
    if (input.capacity() < octets) {
      input = ByteBuffer.allocate(octets).put(input);
    } else {
      input.compact();
    }
    while (input.position() < octets) {
      if (socket.read(input) < 0) {
        input.flip();
        return false;
      }
    }
    input.flip();
    return true;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
