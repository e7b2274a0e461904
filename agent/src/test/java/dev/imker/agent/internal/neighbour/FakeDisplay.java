package dev.imker.agent.internal.neighbour;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** As much of an X11 display as it takes to be asked for its idle time. */
final class FakeDisplay implements AutoCloseable {
  private static final int ROOT = 0x4711;
  private static final byte EXTENSION = (byte) 140;
  private static final byte MAPPING_NOTIFY = 34;

  private final ServerSocketChannel server;
  private final List<SocketChannel> connections = new CopyOnWriteArrayList<>();
  private final byte[] cookie;
  volatile int idleMillis;

  /**
   * @param cookie that it wants to see
   */
  FakeDisplay(Path socket, byte[] cookie) throws IOException {
    this.cookie = cookie.clone();
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Thread.ofVirtual().start(this::serve);
  }

  private void serve() {
    try {
      while (true) {
        SocketChannel connection = server.accept();
        connections.add(connection);
        Thread.ofVirtual().start(() -> answer(connection));
      }
    } catch (IOException e) {
      return; // closed
    }
  }

  private void answer(SocketChannel connection) {
    try (connection) {
      if (!greet(connection)) {
        return;
      }
      while (true) {
        ByteBuffer head = read(connection, 4);
        ByteBuffer request = read(connection, 4 * head.getShort(2) - 4);
        connection.write(buffer(32).put(0, MAPPING_NOTIFY)); // sent to everybody, asked or not
        ByteBuffer reply = buffer(32).put(0, (byte) 1);
        if (head.get(0) == 98) {
          connection.write(reply.put(8, (byte) 1).put(9, EXTENSION));
        } else if (head.get(0) == EXTENSION && head.get(1) == 1 && request.getInt(0) == ROOT) {
          connection.write(reply.putInt(16, idleMillis));
        } else {
          connection.write(buffer(32)); // an error
        }
      }
    } catch (IOException e) {
      return; // gone
    }
  }

  private boolean greet(SocketChannel connection) throws IOException {
    ByteBuffer hello = read(connection, 12);
    int wayBytes = (hello.getShort(6) + 3) & ~3;
    ByteBuffer rest = read(connection, wayBytes + ((hello.getShort(8) + 3) & ~3));
    byte[] shown = new byte[hello.getShort(8)];
    rest.get(wayBytes, shown);
    if (!Arrays.equals(shown, cookie)) {
      connection.write(buffer(8));
      return false;
    }
    int vendorBytes = 8; // of which five count
    int formats = 2;
    ByteBuffer setup = buffer(8 + 32 + vendorBytes + 8 * formats + 40);
    setup.put(0, (byte) 1).putShort(6, (short) ((setup.capacity() - 8) / 4));
    setup.putShort(8 + 16, (short) 5).put(8 + 21, (byte) formats);
    setup.putInt(8 + 32 + vendorBytes + 8 * formats, ROOT);
    connection.write(setup);
    return true;
  }

  private static ByteBuffer read(SocketChannel connection, int bytes) throws IOException {
    ByteBuffer buffer = buffer(bytes);
    while (buffer.hasRemaining()) {
      if (connection.read(buffer) < 0) {
        throw new EOFException();
      }
    }
    return buffer.flip();
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (SocketChannel connection : connections) {
      connection.close();
    }
  }
}
