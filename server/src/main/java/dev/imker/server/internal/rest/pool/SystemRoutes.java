package dev.imker.server.internal.rest.pool;

import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Authenticator;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** {@code /metrics}, and what opens it to a scraper. */
public record SystemRoutes(PrometheusMeterRegistry registry, Authenticator authenticator) {
  /** What a scraper presents, which opens nothing else. */
  record MetricsToken(String token) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/metrics", Access.METRICS, this::metrics),
        Endpoint.get(
            "/api/v1/metrics-token",
            Access.ADMIN,
            exchange -> exchange.json(200, new MetricsToken(authenticator.metricsToken()))));
  }

  private void metrics(Exchange exchange) throws IOException {
    exchange.bytes(
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        registry.scrape().getBytes(StandardCharsets.UTF_8));
  }
}
