package dev.imker.testdb;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Stands between somebody and a service, and cuts connections at the worst moments. */
public final class CuttingProxy implements AutoCloseable {
  /** When to cut the connection over which the next commit comes. */
  public enum Cut {
    /** The database never hears of it. */
    BEFORE_COMMIT,
    /** The database commits, the store never hears of it. */
    AFTER_COMMIT
  }

  private static final byte[] COMMIT = "COMMIT".getBytes(StandardCharsets.US_ASCII);

  private final ServerSocket server;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger cuts = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private volatile @Nullable Cut next;
  private volatile boolean refusing;
  private volatile boolean swallowing;

  private CuttingProxy(ServerSocket server, int target) {
    this.server = server;
    this.target = target;
  }

  public static CuttingProxy to(int port) throws IOException {
    CuttingProxy proxy =
        new CuttingProxy(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
    Thread.ofVirtual().start(proxy::accept);
    return proxy;
  }

  public int port() {
    return server.getLocalPort();
  }

  public void cutNextCommit(Cut when) {
    next = when;
  }

  public int cuts() {
    return cuts.get();
  }

  /** Cuts all connections and lets no new ones through until told otherwise. */
  public void refuse(boolean on) throws IOException {
    refusing = on;
    if (on) {
      closeAll();
    }
  }

  /** How many connections were not let through. */
  public int refused() {
    return refused.get();
  }

  /** Lets questions through, and no answers. */
  public void swallowAnswers(boolean on) {
    swallowing = on;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = server.accept();
        if (refusing) {
          client.close();
          refused.incrementAndGet();
        } else {
          connect(client);
        }
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void connect(Socket client) throws IOException {
    Socket database = new Socket(InetAddress.getLoopbackAddress(), target);
    sockets.add(client);
    sockets.add(database);
    Thread.ofVirtual().start(() -> forward(client, database));
    Thread.ofVirtual().start(() -> answer(client, database));
  }

  private void forward(Socket client, Socket database) {
    try (client;
        database) {
      byte[] buffer = new byte[1 << 16];
      InputStream in = client.getInputStream();
      OutputStream out = database.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        Cut cut = contains(buffer, n) ? next : null;
        if (cut != null) {
          next = null;
          cuts.incrementAndGet();
          if (cut == Cut.AFTER_COMMIT) {
            client.close();
            out.write(buffer, 0, n);
            out.flush();
            // The answer is awaited, by the thread that reads it; then the connection may go.
            awaitEnd(database);
          }
          return;
        }
        out.write(buffer, 0, n);
      }
    } catch (IOException e) {
      // cut
    }
  }

  private static void awaitEnd(Socket database) throws IOException {
    database.shutdownOutput();
    while (!database.isClosed()) {
      Thread.onSpinWait();
    }
  }

  private void answer(Socket client, Socket database) {
    try (client;
        database) {
      byte[] buffer = new byte[1 << 16];
      InputStream in = database.getInputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (!client.isClosed() && !swallowing) {
          client.getOutputStream().write(buffer, 0, n);
        }
      }
    } catch (IOException e) {
      // cut
    }
  }

  private static boolean contains(byte[] buffer, int length) {
    for (int i = 0; i + COMMIT.length <= length; i++) {
      int j = 0;
      while (j < COMMIT.length && buffer[i + j] == COMMIT[j]) {
        j++;
      }
      if (j == COMMIT.length) {
        return true;
      }
    }
    return false;
  }

  private void closeAll() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  @Override
  public void close() {
    try {
      server.close();
      closeAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
