package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.connection.JoinToken;
import dev.imker.model.connection.PinnedCertificate;
import dev.imker.testbase.ExpectedLogs;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@ExpectedLogs({"certificate authority", "certificate authorities"})
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
      X509Certificate authority = certificate("ca.pem");
      assertThat(token.fingerprint()).isEqualTo(Rest.sha256(authority.getEncoded()));
      assertThat(certificate("certificate.pem").getSubjectAlternativeNames().toString())
          .contains("localhost", "127.0.0.1");

      HttpClient trusting = HttpClient.newBuilder().sslContext(trust(authority)).build();
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

  @Test
  void agents_with_old_tokens_join_a_pool_whose_authority_was_replaced() throws Exception {
    try (TestServer server = TestServer.start(TestServer.settings(folder).withTls())) {
      String old = server.running().joinToken();
      String pin = JoinToken.parse(old).fingerprint();
      assertThat(authority(server, pin, "sell")).contains("invalid");
      assertThat(authority(server, pin, "replace")).doesNotContain(pin);
      String fresh = server.running().joinToken();
      String next = JoinToken.parse(fresh).fingerprint();
      assertThat(next).isNotEqualTo(pin);
      for (String token : List.of(old, fresh)) {
        try (TestAgent agent = TestAgent.connect(token, "a", 1)) {
          assertThat(agent.nextWelcome().getPool()).isEqualTo("test");
        }
      }
      assertThat(PinnedCertificate.successorOf(pin)).contains(next);
      assertThat(authority(server, next, "forget-previous")).contains(next);
      try (TestAgent agent = TestAgent.connect(fresh, "b", 1)) {
        assertThat(agent.nextWelcome().getPool()).isEqualTo("test");
      }
    }
  }

  private static String authority(TestServer server, String pin, String order) throws Exception {
    HttpRequest.Builder request = request(server, "/api/v1/certificate/renew");
    try (HttpClient pinned =
        HttpClient.newBuilder().sslContext(PinnedCertificate.context(pin)).build()) {
      String body = "{\"authority\":\"" + order + "\"}";
      return pinned
          .send(request.POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString())
          .body();
    }
  }

  @Test
  void certificate_is_renewed_while_the_server_runs_and_nobody_is_locked_out() throws Exception {
    try (TestServer server = TestServer.start(TestServer.settings(folder).withTls());
        TestAgent before = server.agent("before")) {
      before.nextWelcome();
      String token = server.running().joinToken();
      X509Certificate first = shown(server, token);
      HttpClient pinned =
          HttpClient.newBuilder()
              .sslContext(PinnedCertificate.context(JoinToken.parse(token).fingerprint()))
              .build();
      HttpRequest.Builder renewal = request(server, "/api/v1/certificate/renew");
      var answer =
          pinned.send(renewal.POST(BodyPublishers.ofString("{}")).build(), BodyHandlers.ofString());
      assertThat(answer.body()).contains("expires", JoinToken.parse(token).fingerprint());
      X509Certificate second = shown(server, token);
      assertThat(second).isNotEqualTo(first).isEqualTo(certificate("certificate.pem"));
      assertThat(JoinToken.parse(server.running().joinToken()).fingerprint())
          .as("old tokens are as good as new ones")
          .isEqualTo(JoinToken.parse(token).fingerprint());
      try (TestAgent after = server.agent("after")) {
        after.nextWelcome();
      }
      assertThat(pinned.send(request(server, "/metrics").build(), BodyHandlers.ofString()).body())
          .contains("imker_certificate_expiry_timestamp_seconds");
    }
  }

  private static HttpRequest.Builder request(TestServer server, String path) {
    return HttpRequest.newBuilder(server.running().address().resolve(path))
        .header("Authorization", "Bearer " + server.running().adminToken())
        .header("Content-Type", "application/json");
  }

  private static X509Certificate shown(TestServer server, String token) throws Exception {
    String pin = JoinToken.parse(token).fingerprint();
    try (SSLSocket socket =
        (SSLSocket)
            PinnedCertificate.context(pin)
                .getSocketFactory()
                .createSocket("127.0.0.1", server.running().address().getPort())) {
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  private X509Certificate certificate(String name) throws Exception {
    try (var in = Files.newInputStream(folder.resolve(name))) {
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
