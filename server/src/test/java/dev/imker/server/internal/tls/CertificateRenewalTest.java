package dev.imker.server.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.connection.PinnedCertificate;
import dev.imker.testbase.ExpectedLogs;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@ExpectedLogs("was not renewed")
class CertificateRenewalTest {
  private static final List<HostName> NAMES = List.of(new HostName("localhost", false));

  @TempDir Path folder;
  private Instant now = Instant.now();

  @Test
  void certificate_that_expires_soon_is_replaced_at_the_start_and_while_it_is_used() {
    CertificateRenewal renewal =
        new CertificateRenewal(folder, () -> now, CertificateRenewal.Sharing.NONE);
    ServerCertificate first = renewal.current();
    assertThat(
            new CertificateRenewal(folder, () -> now, CertificateRenewal.Sharing.NONE)
                .current()
                .expires())
        .isEqualTo(first.expires());
    List<ServerCertificate> told = new ArrayList<>();
    renewal.start(told::add);
    renewal.renewIfDue();
    assertThat(told).as("not yet").isEmpty();
    now = first.expires().minus(Duration.ofDays(60));
    assertThat(
            new CertificateRenewal(folder, () -> now, CertificateRenewal.Sharing.NONE)
                .current()
                .expires())
        .isAfter(first.expires());
    renewal.renewIfDue();
    renewal.close();
    assertThat(told).containsExactly(renewal.current());
    assertThat(renewal.current().expires()).isAfter(first.expires());
    assertThat(renewal.current().fingerprint()).isEqualTo(first.fingerprint());
  }

  @Test
  void renewal_that_the_port_does_not_take_is_tried_again() {
    CertificateRenewal renewal =
        new CertificateRenewal(folder, () -> now, CertificateRenewal.Sharing.NONE);
    ServerCertificate first = renewal.current();
    List<ServerCertificate> told = new ArrayList<>();
    renewal.start(
        renewed -> {
          told.add(renewed);
          if (told.size() == 1) {
            throw new CompletionException(new IOException("the port is busy"));
          }
        });
    now = first.expires().minus(Duration.ofDays(60));
    renewal.renewIfDue();
    assertThat(renewal.current()).isEqualTo(first);
    renewal.renewIfDue();
    renewal.close();
    assertThat(told).hasSize(2);
    assertThat(renewal.current()).isEqualTo(told.getLast());
  }

  @Test
  void certificate_of_a_version_without_an_authority_becomes_the_authority() throws Exception {
    PoolAuthority old = PoolAuthority.open(folder, now);
    Files.move(folder.resolve("ca.pem"), folder.resolve("certificate.pem"));
    Files.move(folder.resolve("ca-key.pem"), folder.resolve("certificate-key.pem"));
    ServerCertificate shown = ServerCertificate.open(folder, NAMES, now);
    assertThat(shown.fingerprint()).isEqualTo(old.fingerprint());
    check(old.fingerprint(), chain(shown));
  }

  @Test
  void crash_between_certificate_and_key_costs_nothing_but_another_renewal() throws Exception {
    ServerCertificate first = ServerCertificate.open(folder, NAMES, now);
    Files.writeString(folder.resolve("certificate-key.pem"), "");
    ServerCertificate second = ServerCertificate.open(folder, NAMES, now);
    assertThat(second.fingerprint()).isEqualTo(first.fingerprint());
    assertThat(second.key()).contains("PRIVATE KEY").isNotEqualTo(first.key());
  }

  @Test
  void only_what_the_authority_signed_and_is_valid_is_trusted(@TempDir Path other)
      throws Exception {
    ServerCertificate own = ServerCertificate.open(folder, NAMES, now);
    ServerCertificate foreign = ServerCertificate.open(other, NAMES, now);
    X509Certificate[] good = chain(own);
    check(own.fingerprint(), good);
    refused(own.fingerprint(), chain(foreign));
    refused(own.fingerprint(), chain(foreign)[0], good[1]);
    refused(own.fingerprint(), good[0]);
    PoolAuthority authority = PoolAuthority.open(folder, now);
    KeyPair keys = PoolAuthority.newKeys();
    Duration day = Duration.ofDays(1);
    Instant longAgo = now.minus(Duration.ofDays(10));
    refused(own.fingerprint(), authority.certify(keys.getPublic(), NAMES, longAgo, day), good[1]);
    X509Certificate leaf = authority.certify(keys.getPublic(), NAMES, now, day);
    PoolAuthority pretender = new PoolAuthority(leaf, keys.getPrivate(), "");
    refused(
        own.fingerprint(),
        pretender.certify(PoolAuthority.newKeys().getPublic(), NAMES, now, day),
        leaf,
        good[1]);
  }

  @Test
  void who_trusts_an_earlier_authority_is_let_in_until_it_is_forgotten() throws Exception {
    ServerCertificate first = ServerCertificate.open(folder, NAMES, now);
    ServerCertificate.replaceAuthority(folder, now);
    ServerCertificate second = ServerCertificate.open(folder, NAMES, now);
    ServerCertificate.replaceAuthority(folder, now);
    ServerCertificate third = ServerCertificate.open(folder, NAMES, now);
    List<String> pins = List.of(first.fingerprint(), second.fingerprint(), third.fingerprint());
    assertThat(pins).doesNotHaveDuplicates();
    for (String pin : pins) {
      check(pin, chain(third));
    }
    assertThat(PinnedCertificate.successorOf(first.fingerprint())).contains(third.fingerprint());
    refused(third.fingerprint(), chain(second));
    ServerCertificate.forgetPreviousAuthority(folder);
    ServerCertificate last = ServerCertificate.open(folder, NAMES, now);
    assertThat(last.fingerprint()).isEqualTo(third.fingerprint());
    check(third.fingerprint(), chain(last));
    check(first.fingerprint(), chain(last)); // was led over
    refused(first.fingerprint(), chain(second)[0], chain(last)[1]);
  }

  @Test
  void who_was_away_during_the_whole_overlap_is_left_out() throws Exception {
    ServerCertificate first = ServerCertificate.open(folder, NAMES, now);
    ServerCertificate.replaceAuthority(folder, now);
    ServerCertificate.forgetPreviousAuthority(folder);
    refused(first.fingerprint(), chain(ServerCertificate.open(folder, NAMES, now)));
  }

  @Test
  void crash_while_the_authority_is_replaced_leaves_a_pair_that_fits() throws Exception {
    ServerCertificate first = ServerCertificate.open(folder, NAMES, now);
    Path ca = folder.resolve("ca.pem");
    String old = Files.readString(ca);
    ServerCertificate.replaceAuthority(folder, now);
    String next =
        String.join(
            "-----PART-----\n",
            Files.readString(ca),
            Files.readString(folder.resolve("ca-key.pem")),
            Files.readString(folder.resolve("ca-previous.pem")));
    Files.writeString(folder.resolve("ca-next.pem"), next);
    Files.writeString(ca, old); // the key is new already, the certificate is not
    check(first.fingerprint(), chain(ServerCertificate.open(folder, NAMES, now)));
    assertThat(folder.resolve("ca-next.pem")).doesNotExist();
  }

  private static void check(String pin, X509Certificate... chain) throws CertificateException {
    new PinnedCertificate(pin).checkServerTrusted(chain, "ECDHE_ECDSA");
  }

  private static void refused(String pin, X509Certificate... chain) {
    assertThatThrownBy(() -> check(pin, chain)).isInstanceOf(CertificateException.class);
  }

  private static X509Certificate[] chain(ServerCertificate shown) throws CertificateException {
    var bytes = new ByteArrayInputStream(shown.chain().getBytes(StandardCharsets.US_ASCII));
    return CertificateFactory.getInstance("X.509").generateCertificates(bytes).stream()
        .map(X509Certificate.class::cast)
        .toArray(X509Certificate[]::new);
  }
}
