package dev.imker.server.http;

/** Hears of every request that was answered, on the thread that answered it. */
@FunctionalInterface
public interface AuditTrail {
  void answered(Endpoint endpoint, Exchange exchange);
}
