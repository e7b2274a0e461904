package dev.imker.server.fault;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The line to a PostgreSQL server. It understands the protocol as far as to see where one exchange
 * ends (the client's Query or Sync, the server's ReadyForQuery), counts them, and breaks at a
 * chosen one: before the server has heard of it, or after it has done it and before the client
 * knows.
 */
final class PostgresLine implements Closeable {
  /** Where an exchange is cut. */
  enum Cut {
    NEVER,
    BEFORE,
    AFTER
  }

  private static final int QUERY = 'Q';
  private static final int SYNC = 'S';
  private static final int READY = 'Z';
  private static final int NO_TLS = 80877103;

  private final ServerSocket listener;
  private final InetSocketAddress server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private Cut cut = Cut.NEVER;
  private int atExchange;
  private boolean forGood;
  private int exchanges;
  private boolean down;
  private @Nullable Thread client;

  PostgresLine(int serverPort) throws IOException {
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    server = new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort);
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /**
   * @param lasts whether nothing gets through afterwards, as when the machine of the client dies
   */
  synchronized void arm(Cut where, int exchange, boolean lasts) {
    cut = where;
    atExchange = exchange;
    forGood = lasts;
    client = Thread.currentThread();
    exchanges = 0;
    down = false;
  }

  synchronized int exchanges() {
    return exchanges;
  }

  synchronized boolean isDown() {
    return down;
  }

  /** It breaks no more; if it is down, it stays so until it is restored. */
  synchronized void calm() {
    cut = Cut.NEVER;
  }

  synchronized void restore() {
    down = false;
    cut = Cut.NEVER;
  }

  /** Returns whether this exchange is the one. */
  private synchronized boolean isReached(Cut where) {
    if (where == Cut.BEFORE) {
      exchanges++;
    }
    return cut == where && exchanges == atExchange;
  }

  private synchronized void breakDown() {
    cut = Cut.NEVER;
    down = forGood;
    Thread dies = client;
    if (forGood && dies != null) {
      dies.interrupt(); // else it would wait for the database as long as its patience lasts
    }
    open.forEach(PostgresLine::hangUp);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        if (isDown()) {
          hangUp(client);
          continue;
        }
        Socket upstream = new Socket();
        upstream.connect(server);
        client.setTcpNoDelay(true);
        upstream.setTcpNoDelay(true);
        open.add(client);
        open.add(upstream);
        Thread.ofVirtual().start(() -> forward(client, upstream));
      } catch (IOException e) {
        if (listener.isClosed()) {
          return;
        }
      }
    }
  }

  private void forward(Socket client, Socket upstream) {
    try {
      DataInputStream in = new DataInputStream(client.getInputStream());
      DataOutputStream out = new DataOutputStream(upstream.getOutputStream());
      begin(in, out, client.getOutputStream());
      Thread.ofVirtual().start(() -> back(client, upstream));
      while (true) {
        int type = in.readByte();
        byte[] body = new byte[in.readInt() - 4];
        in.readFully(body);
        boolean ends = type == QUERY || type == SYNC;
        if (ends && isReached(Cut.BEFORE)) {
          breakDown();
          return;
        }
        out.writeByte(type);
        out.writeInt(body.length + 4);
        out.write(body);
        if (ends || in.available() == 0) {
          out.flush();
        }
      }
    } catch (IOException e) {
      hangUp(client);
      hangUp(upstream);
    }
  }

  /** The first message has no type; whoever asks for TLS is told that there is none. */
  private static void begin(DataInputStream in, DataOutputStream out, OutputStream toClient)
      throws IOException {
    while (true) {
      int length = in.readInt();
      byte[] body = new byte[length - 4];
      in.readFully(body);
      int code = ByteBuffer.wrap(body).getInt();
      if (code == NO_TLS || code == NO_TLS + 1) {
        toClient.write('N');
        toClient.flush();
        continue;
      }
      out.writeInt(length);
      out.write(body);
      out.flush();
      return;
    }
  }

  private void back(Socket client, Socket upstream) {
    boolean isFirst = true;
    try {
      DataInputStream in = new DataInputStream(buffered(upstream.getInputStream()));
      DataOutputStream out =
          new DataOutputStream(new BufferedOutputStream(client.getOutputStream(), 1 << 16));
      while (true) {
        int type = in.readByte();
        byte[] body = new byte[in.readInt() - 4];
        in.readFully(body);
        if (type == READY && !isFirst && isReached(Cut.AFTER)) {
          breakDown();
          return;
        }
        isFirst &= type != READY;
        out.writeByte(type);
        out.writeInt(body.length + 4);
        out.write(body);
        if (type == READY || in.available() == 0) {
          out.flush();
        }
      }
    } catch (IOException e) {
      hangUp(client);
      hangUp(upstream);
    }
  }

  private static InputStream buffered(InputStream in) {
    return new BufferedInputStream(in, 1 << 16);
  }

  private static void hangUp(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    open.forEach(PostgresLine::hangUp);
  }
}
