package dev.imker.coord.tasks;

import dev.imker.coord.CoordinationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A ZooKeeper inside this process, for pools that have no other; on loopback, any free port. */
public final class EmbeddedZooKeeper implements AutoCloseable {
  private static final String ALLOCATION = "zookeeper.preAllocSize";
  private static final int TICK_MILLIS = 500;
  private static final int MOST_CONNECTIONS = 60;

  private final ZooKeeperServer server;
  private final NIOServerCnxnFactory connections;

  private EmbeddedZooKeeper(ZooKeeperServer server, NIOServerCnxnFactory connections) {
    this.server = server;
    this.connections = connections;
  }

  /** Starts it on what the folder holds. */
  public static EmbeddedZooKeeper start(Path folder) {
    // Its log is laid out in advance; the usual 64 MB are too much for a few barriers.
    if (System.getProperty(ALLOCATION) == null) {
      System.setProperty(ALLOCATION, "1024");
    }
    try {
      Files.createDirectories(folder);
      ZooKeeperServer server = new ZooKeeperServer(folder.toFile(), folder.toFile(), TICK_MILLIS);
      NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
      connections.configure(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), MOST_CONNECTIONS);
      connections.startup(server);
      return new EmbeddedZooKeeper(server, connections);
    } catch (IOException e) {
      throw new CoordinationException("ZooKeeper cannot be started in " + folder, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CoordinationException("interrupted", e);
    }
  }

  public String connect() {
    return "127.0.0.1:" + connections.getLocalPort();
  }

  @Override
  public void close() {
    connections.shutdown();
    server.shutdown();
  }
}
