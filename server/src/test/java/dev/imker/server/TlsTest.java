package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.connection.JoinToken;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  @TempDir Path folder;

  @Test
  void on_loopback_there_is_no_tls() {
    try (TestServer server = TestServer.start(folder)) {
      assertThat(server.running().address().getScheme()).isEqualTo("http");
      assertThat(JoinToken.parse(server.running().joinToken()).fingerprint()).isEmpty();
    }
  }

  @Test
  void on_all_addresses_there_is_tls_and_its_fingerprint_is_in_the_join_token() throws Exception {
    try (TestServer server = TestServer.start(TestServer.settings(folder).withHost("0.0.0.0"))) {
      RunningServer running = server.running();
      JoinToken token = JoinToken.parse(running.joinToken());
      assertThat(token.urls()).isNotEmpty().allMatch(url -> url.startsWith("https://"));
      X509Certificate certificate = certificate();
      assertThat(token.fingerprint()).isEqualTo(Rest.sha256(certificate.getEncoded()));
      assertThat(certificate.getSubjectAlternativeNames().toString())
          .contains("localhost", "127.0.0.1");

      HttpClient trusting = HttpClient.newBuilder().sslContext(trust(certificate)).build();
      HttpRequest request =
          HttpRequest.newBuilder(running.address().resolve("/api/v1/pool"))
              .header("Authorization", "Bearer " + running.adminToken())
              .build();
      assertThat(trusting.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      assertThatThrownBy(() -> Rest.CLIENT.send(request, BodyHandlers.ofString()))
          .isInstanceOf(SSLHandshakeException.class);
    }
  }

  @Test
  void an_agent_joins_by_the_fingerprint() {
    try (TestServer server = TestServer.start(TestServer.settings(folder).withTls());
        TestAgent agent = server.agent("secure")) {
      assertThat(agent.nextWelcome().getPool()).isEqualTo("test");
    }
  }

  @Test
  void the_certificate_is_made_once_and_its_key_is_private() throws Exception {
    ServerSettings settings = TestServer.settings(folder).withTls();
    String first;
    try (TestServer server = TestServer.start(settings)) {
      first = server.running().joinToken();
      assertThat(JoinToken.parse(first).fingerprint()).hasSize(64);
    }
    String fingerprint = JoinToken.parse(first).fingerprint();
    try (TestServer server = TestServer.start(settings)) {
      assertThat(JoinToken.parse(server.running().joinToken()).fingerprint())
          .isEqualTo(fingerprint);
    }
    Path key = folder.resolve("certificate-key.pem");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
  }

  private X509Certificate certificate() throws Exception {
    try (var in = Files.newInputStream(folder.resolve("certificate.pem"))) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private static SSLContext trust(X509Certificate certificate) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("imker", certificate);
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
