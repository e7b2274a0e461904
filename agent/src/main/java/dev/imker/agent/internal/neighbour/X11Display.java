package dev.imker.agent.internal.neighbour;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * A connection to an X11 display of this machine, which asks one thing only: since when there was
 * no input. Two requests of the core protocol ("X Window System Protocol", X Version 11) and one of
 * the extension MIT-SCREEN-SAVER; no library and no program is needed for them.
 */
final class X11Display implements Display {
  private static final byte LITTLE_ENDIAN = 'l';
  private static final int ERROR = 0;
  private static final int REPLY = 1;
  private static final int PACKET_BYTES = 32;
  private static final int QUERY_EXTENSION = 98;
  private static final int QUERY_INFO = 1;
  private static final int MAX_REPLY_BYTES = 1 << 20;
  private static final String EXTENSION = "MIT-SCREEN-SAVER";

  private final SocketChannel channel;
  private int root;
  private byte extension;

  private X11Display(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Connects.
   *
   * @param cookie what {@code MIT-MAGIC-COOKIE-1} asks for; empty: none
   * @throws IOException if there is no such display, or it lets us not in, or does not know
   */
  static X11Display open(Path socket, byte[] cookie) throws IOException {
    SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    X11Display display = new X11Display(channel);
    try {
      channel.connect(UnixDomainSocketAddress.of(socket));
      display.greet(cookie);
      display.findExtension();
      return display;
    } catch (IOException e) {
      display.close();
      throw e;
    } catch (RuntimeException e) { // lengths that do not fit together
      display.close();
      throw new IOException("That is not an X11 display.", e);
    }
  }

  private void greet(byte[] cookie) throws IOException {
    byte[] way = (cookie.length == 0 ? "" : XAuthority.COOKIE).getBytes(US_ASCII);
    ByteBuffer hello = buffer(12 + padded(way.length) + padded(cookie.length));
    hello.put(0, LITTLE_ENDIAN).putShort(2, (short) 11);
    hello.putShort(6, (short) way.length).putShort(8, (short) cookie.length);
    hello.put(12, way).put(12 + padded(way.length), cookie);
    send(hello);
    ByteBuffer head = read(8);
    ByteBuffer setup = read(4 * Short.toUnsignedInt(head.getShort(6)));
    if (head.get(0) != 1) {
      throw new IOException("The display refused the connection.");
    }
    int vendorBytes = padded(Short.toUnsignedInt(setup.getShort(16)));
    int formatsBytes = 8 * Byte.toUnsignedInt(setup.get(21));
    root = setup.getInt(32 + vendorBytes + formatsBytes);
  }

  private void findExtension() throws IOException {
    ByteBuffer request = request((byte) QUERY_EXTENSION, (byte) 0, 8 + padded(EXTENSION.length()));
    request.putShort(4, (short) EXTENSION.length()).put(8, EXTENSION.getBytes(US_ASCII));
    send(request);
    ByteBuffer reply = reply();
    if (reply.get(8) == 0) {
      throw new IOException("The display does not support " + EXTENSION + ".");
    }
    extension = reply.get(9);
  }

  /** Milliseconds since the last input of a keyboard, mouse or the like. */
  @Override
  public long idleMillis() throws IOException {
    ByteBuffer request = request(extension, (byte) QUERY_INFO, 8);
    request.putInt(4, root);
    send(request);
    return Integer.toUnsignedLong(reply().getInt(16));
  }

  private static ByteBuffer request(byte major, byte minor, int bytes) {
    return buffer(bytes).put(0, major).put(1, minor).putShort(2, (short) (bytes / 4));
  }

  /** The next reply; what the display tells everybody without being asked is passed over. */
  private ByteBuffer reply() throws IOException {
    while (true) {
      ByteBuffer packet = read(PACKET_BYTES);
      if (packet.get(0) == ERROR) {
        throw new IOException("The display refused with error " + packet.get(1) + ".");
      }
      if (packet.get(0) == REPLY) {
        read(4 * packet.getInt(4));
        return packet;
      }
    }
  }

  private void send(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private ByteBuffer read(int bytes) throws IOException {
    if (bytes < 0 || bytes > MAX_REPLY_BYTES) {
      throw new IOException("That is not an X11 display.");
    }
    ByteBuffer buffer = buffer(bytes);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw new EOFException("The display was closed.");
      }
    }
    return buffer.flip();
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int padded(int bytes) {
    return (bytes + 3) & ~3;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
