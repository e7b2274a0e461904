package dev.imker.server.members;

import dev.imker.coord.DatabaseAccess;
import dev.imker.coord.ServerRegister;
import dev.imker.model.ImkerException;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.postgres.PostgresHosts;
import dev.imker.store.postgres.PostgresStore;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this server's row in the register of the pool's servers. By the way it knows whether the
 * database can be reached, and whether somebody wants this server to leave leading to others.
 */
public final class ServerBeat implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerBeat.class);
  private static final long EVERY_MILLIS = 1_000;

  /** The last schema that moved rows which servers of earlier versions read and write. */
  private static final int LAST_MOVE = 11;

  private final ServerRegister register;
  private final SchedulerLoop loop;
  private final long patienceNanos;
  private final Runnable unable;
  private final Thread thread = Thread.ofVirtual().name("imker-register").unstarted(this::run);
  private volatile long reachedNanos = System.nanoTime();
  private volatile boolean drained;
  private volatile List<ServerRegister.Entry> seen = List.of();
  private boolean away;

  /**
   * @param unable called again and again while this server must not lead
   */
  ServerBeat(SharedPool shared, String urls, SchedulerLoop loop, Runnable unable) {
    this.register =
        new ServerRegister(
            access(shared),
            new ServerRegister.Self(
                urls, ServerVersion.TEXT, PostgresStore.schemaVersion(), election(shared)));
    this.loop = loop;
    this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(shared.lease().leaseMillis());
    this.unable = unable;
  }

  private static DatabaseAccess access(SharedPool shared) {
    return PostgresHosts.of(shared.database())::connect;
  }

  /** Servers may name different hosts of one ZooKeeper, so only the folder in it counts. */
  private static String election(SharedPool shared) {
    String zookeeper = shared.zookeeper();
    int slash = zookeeper.indexOf('/');
    return zookeeper.isEmpty()
        ? "database"
        : "zookeeper" + (slash < 0 ? "" : zookeeper.substring(slash));
  }

  /**
   * Joins the servers of the pool.
   *
   * @throws ImkerException if another one decides leadership in another way
   */
  void start() {
    try {
      Optional<ServerRegister.Entry> conflict = register.enter();
      if (conflict.isPresent()) {
        ServerRegister.Self other = conflict.get().self();
        throw new ImkerException(
            "The server at "
                + other.urls()
                + " runs on the same database and elects the leader with "
                + inWords(other.election())
                + ", this one with "
                + inWords(election())
                + ". Both would lead. Start all servers of a pool with the same"
                + " --zookeeper, or all without it.");
      }
    } catch (SQLException e) {
      throw new ImkerException(
          "Cannot register this server in the database: "
              + e.getMessage()
              + " Start the server again when the database is reachable.",
          e);
    }
    thread.start();
  }

  private String election() {
    return register.self().election();
  }

  private static String inWords(String election) {
    return election.equals("database")
        ? "the database"
        : "ZooKeeper" + (election.contains("/") ? " (" + election.substring(9) + ")" : "");
  }

  /**
   * Refuses to change the schema under servers of another version, unless that is wanted.
   *
   * @throws ImkerException if others run
   */
  public static void checkUpgrade(SharedPool shared) {
    int found = PostgresStore.foundSchema(shared.database());
    int own = PostgresStore.schemaVersion();
    if (found == 0 || found >= own) {
      return;
    }
    List<ServerRegister.Entry> others = runningBeside(shared);
    boolean moves = found < LAST_MOVE;
    if (!others.isEmpty() && (moves || !shared.upgrade())) {
      ServerRegister.Self other = others.getFirst().self();
      throw new ImkerException(
          "The database has schema version %d, this version of Imker (%s) needs %d, and the server at %s (version %s) is still running on it. %s. Make a backup first: there is no way back without one."
              .formatted(
                  found,
                  ServerVersion.TEXT,
                  own,
                  other.urls(),
                  other.version(),
                  moves
                      ? "Stop all other servers first, even with --upgrade: this upgrade"
                          + " moves what they use"
                      : "Stop the other servers first, or start this one with --upgrade to"
                          + " upgrade the schema while they run"));
    }
    LOG.warn(
        "Upgrading the database schema from version {} to {}{}; only a backup can undo this",
        found,
        own,
        others.isEmpty() ? "" : ", under " + others.size() + " running servers, as requested");
  }

  /** The servers that run on a database. */
  static List<ServerRegister.Entry> runningBeside(SharedPool shared) {
    try {
      return ServerRegister.running(access(shared));
    } catch (SQLException e) {
      throw new ImkerException("The servers on the database cannot be read: " + e.getMessage(), e);
    }
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        beat();
        if (!isAble()) {
          unable.run();
        }
        Thread.sleep(EVERY_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("No longer registered among the servers");
    }
  }

  private void beat() {
    try {
      drained = register.renew(loop.isLeading(), loop.epoch(), loop.behindMillis());
      seen = register.all();
      long now = System.nanoTime();
      if (away) {
        LOG.info(
            "The database is reachable again after {} s",
            TimeUnit.NANOSECONDS.toSeconds(now - reachedNanos));
        away = false;
      }
      reachedNanos = now;
    } catch (SQLException e) {
      if (!away && !Thread.currentThread().isInterrupted()) {
        LOG.warn("The database is unreachable: {}", e.getMessage());
        away = true;
      }
    }
  }

  /** Whether the database was reached within the time of a lease. */
  boolean reachesDatabase() {
    return System.nanoTime() - reachedNanos < patienceNanos;
  }

  /** Whether this server may lead: its database is there, and nobody wants it to leave that. */
  boolean isAble() {
    return !drained && reachesDatabase();
  }

  int runningServers() {
    return (int) seen.stream().filter(ServerRegister.Entry::isRunning).count();
  }

  long longestSilenceSeconds() {
    return seen.stream()
        .filter(ServerRegister.Entry::isRunning)
        .mapToLong(entry -> entry.silentMillis() / 1000)
        .max()
        .orElse(0);
  }

  boolean isDrained() {
    return drained;
  }

  /** All servers, the leader first. */
  List<ServerRegister.Entry> all() {
    try {
      return register.all();
    } catch (SQLException e) {
      throw new ImkerException("The servers cannot be read: " + e.getMessage(), e);
    }
  }

  /** False if there is no server of that address. */
  boolean drain(String url, boolean wanted) {
    try {
      return register.drain(url, wanted);
    } catch (SQLException e) {
      throw new ImkerException("The server cannot be drained: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
      register.close();
    } catch (SQLException e) {
      LOG.debug("leaving the servers: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
