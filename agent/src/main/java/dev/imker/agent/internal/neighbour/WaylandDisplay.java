package dev.imker.agent.internal.neighbour;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A connection to a Wayland compositor that offers {@code ext_idle_notifier_v1} (KDE Plasma, Sway
 * and others built on wlroots, not GNOME): it tells when a second has passed without input, and
 * when there is input again. Spoken are six requests of the wire protocol ("The Wayland Protocol",
 * chapter 4), none of which passes a file descriptor; no library is needed for them.
 */
final class WaylandDisplay implements Display {
  private static final int TIMEOUT_MILLIS = 1_000;
  private static final int HEAD_BYTES = 8;
  private static final int BUFFER_BYTES = 1 << 16;

  private static final int DISPLAY = 1;
  private static final int SYNC = 0;
  private static final int GET_REGISTRY = 1;
  private static final int BIND = 0;
  private static final int GET_IDLE_NOTIFICATION = 1;
  private static final int FIRST_EVENT = 0; // error, global, done, idled
  private static final int RESUMED = 1;

  private final SocketChannel channel;
  private final ByteBuffer received = buffer(BUFFER_BYTES);
  private final List<Integer> seatNames = new ArrayList<>();
  private final Set<Integer> notifications = new HashSet<>();
  private final Set<Integer> idle = new HashSet<>();
  private long idleSinceNanos;
  private int notifierName = -1;
  private int registry = -1;
  private int answered;
  private int lastId = DISPLAY;

  private WaylandDisplay(SocketChannel channel) {
    this.channel = channel;
  }

  /**
   * Connects.
   *
   * @throws IOException if nobody listens there, or the compositor does not tell
   */
  static WaylandDisplay open(Path socket) throws IOException {
    WaylandDisplay display = new WaylandDisplay(SocketChannel.open(StandardProtocolFamily.UNIX));
    try {
      display.channel.connect(UnixDomainSocketAddress.of(socket));
      display.ask();
      return display;
    } catch (IOException e) {
      display.close();
      throw e;
    } catch (RuntimeException e) { // lengths that do not fit together
      display.close();
      throw new IOException("That is not a Wayland compositor.", e);
    }
  }

  private void ask() throws IOException {
    registry = ++lastId;
    send(DISPLAY, GET_REGISTRY, buffer(4).putInt(registry));
    awaitAnswers();
    if (notifierName < 0 || seatNames.isEmpty()) {
      throw new IOException("This compositor does not report when the user is idle.");
    }
    int notifier = bind(notifierName, "ext_idle_notifier_v1");
    for (int name : seatNames) {
      int seat = bind(name, "wl_seat");
      notifications.add(++lastId);
      send(
          notifier,
          GET_IDLE_NOTIFICATION,
          buffer(12).putInt(lastId).putInt(TIMEOUT_MILLIS).putInt(seat));
    }
    awaitAnswers();
    channel.configureBlocking(false);
  }

  private int bind(int name, String type) throws IOException {
    byte[] text = type.getBytes(UTF_8);
    int bytes = padded(text.length + 1);
    ByteBuffer body = buffer(16 + bytes).putInt(name).putInt(text.length + 1).put(text);
    send(registry, BIND, body.position(8 + bytes).putInt(1).putInt(++lastId));
    return lastId;
  }

  /** Until all that was asked has been worked on. */
  private void awaitAnswers() throws IOException {
    int callback = ++lastId;
    send(DISPLAY, SYNC, buffer(4).putInt(callback));
    while (answered != callback) {
      receive();
    }
  }

  /** Since there was input on any of the seats; video that is watched counts as input. */
  @Override
  public long idleMillis() throws IOException {
    int count;
    do {
      count = receive();
    } while (count > 0);
    return idle.size() < notifications.size()
        ? 0
        : TIMEOUT_MILLIS + (System.nanoTime() - idleSinceNanos) / 1_000_000;
  }

  private int receive() throws IOException {
    int count = channel.read(received);
    if (count < 0) {
      throw new EOFException("The compositor was closed.");
    }
    received.flip();
    while (received.remaining() >= HEAD_BYTES) {
      int bytes = received.getInt(received.position() + 4) >>> 16;
      if (bytes < HEAD_BYTES) {
        throw new IOException("That is not a Wayland compositor.");
      }
      if (bytes > received.remaining()) {
        break;
      }
      take(received.slice(received.position(), bytes).order(received.order()));
      received.position(received.position() + bytes);
    }
    received.compact();
    return count;
  }

  private void take(ByteBuffer event) throws IOException {
    int sender = event.getInt(0);
    int opcode = event.getInt(4) & 0xffff;
    if (sender == DISPLAY && opcode == FIRST_EVENT) {
      throw new IOException("The compositor refused with error " + event.getInt(12) + ".");
    }
    if (sender == registry && opcode == FIRST_EVENT) {
      offered(event);
    } else if (notifications.contains(sender) && opcode == FIRST_EVENT) {
      idle.add(sender);
      idleSinceNanos = System.nanoTime();
    } else if (notifications.contains(sender) && opcode == RESUMED) {
      idle.remove(sender);
    } else if (sender == lastId && opcode == FIRST_EVENT) {
      answered = sender;
    }
  }

  private void offered(ByteBuffer event) {
    byte[] type = new byte[event.getInt(12) - 1];
    event.get(16, type);
    switch (new String(type, UTF_8)) {
      case "wl_seat" -> seatNames.add(event.getInt(HEAD_BYTES));
      case "ext_idle_notifier_v1" -> notifierName = event.getInt(HEAD_BYTES);
      default -> {} // nothing that we need
    }
  }

  private void send(int object, int opcode, ByteBuffer body) throws IOException {
    body.clear();
    int bytes = HEAD_BYTES + body.remaining();
    ByteBuffer message = buffer(bytes).putInt(object).putInt(bytes << 16 | opcode).put(body).flip();
    while (message.hasRemaining()) {
      channel.write(message);
    }
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
  }

  private static int padded(int bytes) {
    return (bytes + 3) & ~3;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
