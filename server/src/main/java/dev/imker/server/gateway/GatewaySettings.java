package dev.imker.server.gateway;

/** What agents are told when they come. */
public record GatewaySettings(
    String poolName, String version, long signOfLifeMillis, long leaseMillis) {}
