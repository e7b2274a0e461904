package dev.imker.server.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.TimeUnit;

/** Measures requests by route and status. */
public record RequestMeter(MeterRegistry registry) {
  void measure(Endpoint endpoint, RoutingContext context) {
    long start = System.nanoTime();
    context.addEndHandler(end -> record(endpoint, context, System.nanoTime() - start));
  }

  private void record(Endpoint endpoint, RoutingContext context, long nanos) {
    Timer.builder("imker.http.requests")
        .description("Time from a request to the end of its response")
        .tag("method", endpoint.method().name())
        .tag("path", endpoint.path())
        .tag("status", Integer.toString(context.response().getStatusCode()))
        .register(registry)
        .record(nanos, TimeUnit.NANOSECONDS);
  }
}
