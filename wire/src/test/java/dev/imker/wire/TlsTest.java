package dev.imker.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.ImkerException;
import dev.imker.testbase.Attack;
import dev.imker.testbase.ConnectProxy;
import dev.imker.wire.connect.ConnectionState;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import java.io.InputStream;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TlsTest {

  private static final String PASSWORD = "secret";
  private static final WireOptions OPTIONS = WireOptions.defaults();

  @TempDir static Path folder;
  private static Path keyStore = Path.of("none");
  private static String fingerprint = "";

  private final MessageDirectory none = MessageTypes.directory().build();

  @BeforeAll
  static void make_certificate() throws Exception {
    keyStore = folder.resolve("server.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=pool",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                keyStore.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keyStore)) {
      store.load(in, PASSWORD.toCharArray());
    }
    byte[] certificate = store.getCertificate("server").getEncoded();
    fingerprint =
        HexFormat.ofDelimiter(":")
            .withUpperCase()
            .formatHex(MessageDigest.getInstance("SHA-256").digest(certificate));
  }

  private Pair tlsPair() {
    HttpServerOptions tls =
        new HttpServerOptions()
            .setSsl(true)
            .setKeyCertOptions(new PfxOptions().setPath(keyStore.toString()).setPassword(PASSWORD));
    return new Pair(none, none, OPTIONS, tls);
  }

  private static List<URI> tlsAddress(Pair pair) {
    return List.of(URI.create(pair.address().toString().replace("ws:", "wss:")));
  }

  @Test
  void server_with_the_pinned_certificate_is_accepted() {
    try (Pair pair = tlsPair()) {
      pair.connect(OPTIONS, b -> b.addresses(tlsAddress(pair)).pinnedSha256(fingerprint));
      pair.clientEvents.expect("opened");
    }
  }

  @Test
  void server_is_reached_through_a_proxy_that_alone_knows_its_name() throws Exception {
    try (Pair pair = tlsPair();
        ConnectProxy proxy = new ConnectProxy()) {
      URI named = URI.create("wss://pool.invalid:" + pair.address().getPort() + "/agents");
      pair.connect(
          OPTIONS,
          b ->
              b.addresses(List.of(named))
                  .pinnedSha256(fingerprint)
                  .proxies(ProxySelector.of(proxy.address())));
      pair.clientEvents.expect("opened");
      assertThat(proxy.asked()).contains("pool.invalid:" + pair.address().getPort());
    }
  }

  @Test
  void server_without_tls_is_reached_through_a_proxy_too() throws Exception {
    try (Pair pair = new Pair(none, none, OPTIONS);
        ConnectProxy proxy = new ConnectProxy()) {
      URI named = URI.create("ws://pool.invalid:" + pair.address().getPort() + "/agents");
      pair.connect(
          OPTIONS, b -> b.addresses(List.of(named)).proxies(ProxySelector.of(proxy.address())));
      pair.clientEvents.expect("opened");
    }
  }

  @Test
  @Attack("pose as the server with another certificate")
  void server_with_another_certificate_is_refused_with_a_clear_reason() throws Exception {
    try (Pair pair = tlsPair()) {
      String other = "00".repeat(32);
      pair.connect(OPTIONS, b -> b.addresses(tlsAddress(pair)).pinnedSha256(other));
      assertThat(waitingReason(pair)).contains("certificate is not the one expected");
      assertThat(pair.clientEvents.isEmpty()).isTrue();
    }
  }

  @Test
  @Attack("pose as the server with a self-signed certificate")
  void self_signed_certificate_is_refused_without_a_pin() throws Exception {
    try (Pair pair = tlsPair()) {
      pair.connect(OPTIONS, b -> b.addresses(tlsAddress(pair)));
      assertThat(waitingReason(pair)).isNotEmpty();
      assertThat(pair.clientEvents.isEmpty()).isTrue();
    }
  }

  @Test
  void what_is_no_fingerprint_is_refused_at_once() {
    try (Pair pair = tlsPair()) {
      assertThatThrownBy(() -> pair.connect(OPTIONS, b -> b.pinnedSha256("abcd")))
          .isInstanceOf(ImkerException.class)
          .hasMessageContaining("not a certificate fingerprint");
    }
  }

  private static String waitingReason(Pair pair) throws InterruptedException {
    for (ConnectionState state = pair.states.poll(60, TimeUnit.SECONDS);
        state != null;
        state = pair.states.poll(60, TimeUnit.SECONDS)) {
      if (state instanceof ConnectionState.Waiting waiting) {
        return waiting.reason();
      }
    }
    throw new AssertionError("no failed attempt was reported");
  }
}
