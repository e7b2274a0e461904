package dev.imker.server.http;

/** Is notified of every answered request, on the thread that answered it. */
@FunctionalInterface
public interface AuditTrail {
  void answered(Endpoint endpoint, Exchange exchange);
}
