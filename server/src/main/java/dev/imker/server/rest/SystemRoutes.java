package dev.imker.server.rest;

import dev.imker.server.auth.Authenticator;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** {@code /metrics} and the description of everything. */
final class SystemRoutes {
  private final PrometheusMeterRegistry registry;
  private final Authenticator authenticator;
  private final byte[] openApi;

  /** What a scraper presents, which opens nothing else. */
  record MetricsToken(String token) {}

  SystemRoutes(PrometheusMeterRegistry registry, Authenticator authenticator) {
    this.authenticator = authenticator;
    this.registry = registry;
    openApi = resource("/dev/imker/server/openapi.json");
  }

  List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/metrics", Access.METRICS, this::metrics),
        Endpoint.get(
            "/api/v1/metrics-token",
            Access.ADMIN,
            exchange -> exchange.json(200, new MetricsToken(authenticator.metricsToken()))),
        Endpoint.get(
            "/api/v1/openapi.json",
            Access.KNOWN,
            exchange -> exchange.bytes(200, "application/json", openApi)));
  }

  private void metrics(Exchange exchange) throws IOException {
    exchange.bytes(
        200,
        "text/plain; version=0.0.4; charset=utf-8",
        registry.scrape().getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] resource(String path) {
    try (InputStream content = SystemRoutes.class.getResourceAsStream(path)) {
      return Objects.requireNonNull(content, path).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
