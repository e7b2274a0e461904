package dev.imker.server;

import dev.imker.core.SchedulerSettings;
import java.nio.file.Path;

/**
 * How to run a server.
 *
 * @param dataFolder everything durable; made if it is not there
 * @param host where to listen: an address or a name of this machine; 0.0.0.0 for all
 * @param port 0 takes any free one
 * @param alwaysTls TLS on loopback too, where it is off otherwise
 * @param signOfLifeMillis how often agents report
 * @param maxAgents connections of agents; beyond this the one that did the least is closed
 */
public record ServerSettings(
    Path dataFolder,
    String host,
    int port,
    boolean alwaysTls,
    String poolName,
    SchedulerSettings scheduler,
    long signOfLifeMillis,
    int maxAgents) {
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
        DEFAULT_MAX_AGENTS);
  }

  public ServerSettings withHost(String value) {
    return new ServerSettings(
        dataFolder, value, port, alwaysTls, poolName, scheduler, signOfLifeMillis, maxAgents);
  }

  public ServerSettings withPort(int value) {
    return new ServerSettings(
        dataFolder, host, value, alwaysTls, poolName, scheduler, signOfLifeMillis, maxAgents);
  }

  public ServerSettings withTls() {
    return new ServerSettings(
        dataFolder, host, port, true, poolName, scheduler, signOfLifeMillis, maxAgents);
  }

  public ServerSettings withPoolName(String value) {
    return new ServerSettings(
        dataFolder, host, port, alwaysTls, value, scheduler, signOfLifeMillis, maxAgents);
  }

  public ServerSettings withScheduler(SchedulerSettings value) {
    return new ServerSettings(
        dataFolder, host, port, alwaysTls, poolName, value, signOfLifeMillis, maxAgents);
  }

  public ServerSettings withSignOfLifeMillis(long value) {
    return new ServerSettings(
        dataFolder, host, port, alwaysTls, poolName, scheduler, value, maxAgents);
  }

  public ServerSettings withMaxAgents(int value) {
    return new ServerSettings(
        dataFolder, host, port, alwaysTls, poolName, scheduler, signOfLifeMillis, value);
  }
}
