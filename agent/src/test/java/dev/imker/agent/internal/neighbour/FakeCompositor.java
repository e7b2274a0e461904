package dev.imker.agent.internal.neighbour;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** As much of a Wayland compositor as it takes to tell of idle seats. */
final class FakeCompositor implements AutoCloseable {
  private static final int DISPLAY = 1;

  private final ServerSocketChannel server;
  private final List<String> offers;
  private final List<Integer> notifications = new ArrayList<>();

  /** The connection, once its client has asked to be notified. */
  final BlockingQueue<SocketChannel> asked = new LinkedBlockingQueue<>();

  /**
   * @param offers the interfaces of its globals, which are numbered from 10 on
   */
  FakeCompositor(Path socket, String... offers) throws IOException {
    this.offers = List.of(offers);
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Thread.ofVirtual().start(this::serve);
  }

  private void serve() {
    try {
      while (true) {
        SocketChannel connection = server.accept();
        answer(connection);
      }
    } catch (IOException e) {
      return; // closed
    }
  }

  private void answer(SocketChannel connection) throws IOException {
    int registry = -1;
    int notifier = -1;
    try {
      while (true) {
        ByteBuffer head = read(connection, 8);
        int object = head.getInt(0);
        int opcode = head.getInt(4) & 0xffff;
        ByteBuffer body = read(connection, (head.getInt(4) >>> 16) - 8);
        if (object == DISPLAY && opcode == 1) {
          registry = body.getInt(0);
          offer(connection, registry);
        } else if (object == DISPLAY) {
          send(connection, body.getInt(0), 0, 0); // done
          send(connection, DISPLAY, 1, body.getInt(0)); // the callback's number is free again
          if (!notifications.isEmpty()) {
            asked.add(connection);
          }
        } else if (object == registry && offer(body).equals("ext_idle_notifier_v1")) {
          notifier = body.getInt(body.limit() - 4);
        } else if (object == notifier && body.getInt(4) == 1_000) {
          notifications.add(body.getInt(0));
        }
      }
    } catch (EOFException e) {
      connection.close();
    }
  }

  private String offer(ByteBuffer body) {
    String named = offers.get(body.getInt(0) - 10);
    byte[] text = new byte[body.getInt(4) - 1];
    body.get(8, text);
    if (!named.equals(new String(text, UTF_8))) {
      throw new IllegalStateException("bound under another name");
    }
    return named;
  }

  private void offer(SocketChannel connection, int registry) throws IOException {
    for (int i = 0; i < offers.size(); i++) {
      byte[] text = (offers.get(i) + "\0").getBytes(UTF_8);
      int padded = (text.length + 3) & ~3;
      ByteBuffer event = buffer(20 + padded).putInt(0, registry).putInt(4, (20 + padded) << 16);
      event.putInt(8, 10 + i).putInt(12, text.length).put(16, text).putInt(16 + padded, 1);
      // In two pieces, as a stream may bring it.
      connection.write(event.limit(5));
      connection.write(event.limit(event.capacity()));
    }
  }

  /** Tells that a seat, numbered from 0 on, has had no input for a second, or has had some. */
  void tell(SocketChannel connection, int seat, boolean idle) throws IOException {
    ByteBuffer event = buffer(8).putInt(0, notifications.get(seat));
    connection.write(event.putInt(4, 8 << 16 | (idle ? 0 : 1)));
  }

  private static void send(SocketChannel connection, int object, int opcode, int word)
      throws IOException {
    connection.write(buffer(12).putInt(0, object).putInt(4, 12 << 16 | opcode).putInt(8, word));
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
    return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
