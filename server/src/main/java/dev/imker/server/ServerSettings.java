package dev.imker.server;

import dev.imker.core.SchedulerSettings;
import dev.imker.server.drop.DropFolders;
import java.nio.file.Path;
import java.util.List;

/**
 * How to run a server.
 *
 * @param dataFolder everything durable; made if it is not there
 * @param host where to listen: an address or a name of this machine; 0.0.0.0 for all
 * @param port 0 takes any free one
 * @param alwaysTls TLS on loopback too, where it is off otherwise
 * @param signOfLifeMillis how often agents report
 * @param drops folders whose files become jobs, besides those that were added and kept
 * @param maxAgents connections of agents; beyond this the one that did the least is closed
 * @param shared where a pool of several servers keeps what they share
 */
public record ServerSettings(
    Path dataFolder,
    String host,
    int port,
    boolean alwaysTls,
    String poolName,
    SchedulerSettings scheduler,
    long signOfLifeMillis,
    int maxAgents,
    List<DropFolders.Added> drops,
    SharedPool shared) {
  public static final int DEFAULT_PORT = 7070;
  public static final String LOOPBACK = "127.0.0.1";
  public static final int DEFAULT_MAX_AGENTS = 20_000;

  public static ServerSettings of(Path dataFolder) {
    return new ServerSettings(
        dataFolder,
        LOOPBACK,
        DEFAULT_PORT,
        false,
        "imker",
        SchedulerSettings.defaults(),
        5_000,
        DEFAULT_MAX_AGENTS,
        List.of(),
        SharedPool.NONE);
  }

  public ServerSettings withHost(String value) {
    return new ServerSettings(
        dataFolder,
        value,
        port,
        alwaysTls,
        poolName,
        scheduler,
        signOfLifeMillis,
        maxAgents,
        drops,
        shared);
  }

  public ServerSettings withPort(int value) {
    return new ServerSettings(
        dataFolder,
        host,
        value,
        alwaysTls,
        poolName,
        scheduler,
        signOfLifeMillis,
        maxAgents,
        drops,
        shared);
  }

  public ServerSettings withTls() {
    return new ServerSettings(
        dataFolder,
        host,
        port,
        true,
        poolName,
        scheduler,
        signOfLifeMillis,
        maxAgents,
        drops,
        shared);
  }

  public ServerSettings withPoolName(String value) {
    return new ServerSettings(
        dataFolder,
        host,
        port,
        alwaysTls,
        value,
        scheduler,
        signOfLifeMillis,
        maxAgents,
        drops,
        shared);
  }

  public ServerSettings withScheduler(SchedulerSettings value) {
    return new ServerSettings(
        dataFolder,
        host,
        port,
        alwaysTls,
        poolName,
        value,
        signOfLifeMillis,
        maxAgents,
        drops,
        shared);
  }

  public ServerSettings withSignOfLifeMillis(long value) {
    return new ServerSettings(
        dataFolder, host, port, alwaysTls, poolName, scheduler, value, maxAgents, drops, shared);
  }

  public ServerSettings withMaxAgents(int value) {
    return new ServerSettings(
        dataFolder,
        host,
        port,
        alwaysTls,
        poolName,
        scheduler,
        signOfLifeMillis,
        value,
        drops,
        shared);
  }

  public ServerSettings withDrops(List<DropFolders.Added> value) {
    return new ServerSettings(
        dataFolder,
        host,
        port,
        alwaysTls,
        poolName,
        scheduler,
        signOfLifeMillis,
        maxAgents,
        List.copyOf(value),
        shared);
  }

  /** One of several servers of a pool. */
  public ServerSettings withShared(SharedPool value) {
    return new ServerSettings(
        dataFolder,
        host,
        port,
        alwaysTls,
        poolName,
        scheduler,
        signOfLifeMillis,
        maxAgents,
        drops,
        value);
  }
}
