package dev.imker.server.internal.rest.pool;

import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.server.internal.tls.CertificateRenewal;
import dev.imker.server.internal.tls.ServerCertificate;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code /api/v1/certificate}: what the server shows of itself to whoever connects. */
public record CertificateRoutes(Optional<CertificateRenewal> certificate) {
  private static final int MAX_BYTES = 1000;

  /**
   * The certificate of a server.
   *
   * @param authority SHA-256 fingerprint of the pool's authority, which agents and users know
   * @param issued ISO 8601
   * @param expires ISO 8601
   */
  public record CertificateView(String authority, String issued, String expires) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/certificate", Access.ADMIN, e -> show(e, own().current())),
        Endpoint.post("/api/v1/certificate/renew", Access.ADMIN, this::renew));
  }

  private void renew(Exchange exchange) throws IOException, InterruptedException {
    JsonFields body = JsonFields.of(exchange.json(MAX_BYTES), "", Set.of("authority"));
    CertificateRenewal own = own();
    show(
        exchange,
        switch (body.text("authority", "keep")) {
          case "keep" -> own.renew();
          case "replace" -> own.replaceAuthority();
          case "forget-previous" -> own.forgetPreviousAuthority();
          default ->
              throw ApiException.invalid(
                  "authority", "authority must be one of keep, replace and forget-previous.");
        });
  }

  private CertificateRenewal own() {
    return certificate.orElseThrow(
        () -> ApiException.notFound("This server does not use TLS, so it has no certificate."));
  }

  private static void show(Exchange exchange, ServerCertificate shown) throws IOException {
    exchange.json(
        200,
        new CertificateView(
            shown.fingerprint(),
            Times.iso(shown.issued().toEpochMilli()),
            Times.iso(shown.expires().toEpochMilli())));
  }
}
