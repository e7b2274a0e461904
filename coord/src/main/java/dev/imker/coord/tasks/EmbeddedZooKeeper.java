package dev.imker.coord.tasks;

import dev.imker.coord.CoordinationException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/**
 * A ZooKeeper inside this process, for pools that have no other; on loopback, any free port. Every
 * user of the machine can connect to that; so what is in it, its root included, belongs to who
 * knows the password, which lies in a file of the owner's.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
  private static final String ALLOCATION = "zookeeper.preAllocSize";
  private static final int TICK_MILLIS = 500;
  private static final int PASSWORD_BYTES = 24;
  private static final String NAME = "imker";
  private static final int MAX_CONNECTIONS = 60;

  private final ZooKeeperServer server;
  private final NIOServerCnxnFactory connections;
  private final String credentials;

  private EmbeddedZooKeeper(
      ZooKeeperServer server, NIOServerCnxnFactory connections, String credentials) {
    this.server = server;
    this.credentials = credentials;
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
      String credentials = NAME + ":" + password(folder);
      ZooKeeperServer server = new ZooKeeperServer(folder.toFile(), folder.toFile(), TICK_MILLIS);
      NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
      connections.configure(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), MAX_CONNECTIONS);
      connections.startup(server);
      String digest = DigestAuthenticationProvider.generateDigest(credentials);
      ACL owner = new ACL(ZooDefs.Perms.ALL, new Id("digest", digest));
      server.getZKDatabase().getDataTree().setACL("/", List.of(owner), -1);
      return new EmbeddedZooKeeper(server, connections, credentials);
    } catch (IOException | NoSuchAlgorithmException | KeeperException e) {
      throw new CoordinationException("ZooKeeper cannot be started in " + folder, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CoordinationException("interrupted", e);
    }
  }

  private static String password(Path folder) throws IOException {
    Path file = folder.resolve("password");
    if (!Files.exists(file) || Files.size(file) == 0) {
      byte[] random = new byte[PASSWORD_BYTES];
      new SecureRandom().nextBytes(random);
      Files.deleteIfExists(file);
      boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
      if (posix) {
        Files.createFile(
            file,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      Files.writeString(file, HexFormat.of().formatHex(random));
    }
    return Files.readString(file).strip();
  }

  /** How to reach it, with the password. */
  public String connect() {
    return credentials + "@127.0.0.1:" + connections.getLocalPort();
  }

  @Override
  public void close() {
    connections.shutdown();
    server.shutdown();
  }
}
