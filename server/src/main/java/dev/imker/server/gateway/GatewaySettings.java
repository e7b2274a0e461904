package dev.imker.server.gateway;

import java.util.List;
import java.util.function.Supplier;

/**
 * What agents are told when they connect.
 *
 * @param pingMillis how often they ask whether the server is there, at most; 0 leaves it to them
 * @param servers addresses of all servers of the pool, as of now
 */
public record GatewaySettings(
    String poolName,
    String version,
    long signOfLifeMillis,
    long leaseMillis,
    int pingMillis,
    Supplier<List<String>> servers) {}
