package dev.imker.server.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.server.internal.tls.CertificateRenewal;
import dev.imker.store.sqlite.SqliteStore;
import dev.imker.testbase.Attack;
import dev.imker.testbase.ExpectedLogs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What servers of one pool share by their database. */
@ExpectedLogs({"certificate authority", "certificate authorities"})
class PoolIdentityTest {
  @TempDir Path data;
  @TempDir Path one;
  @TempDir Path other;

  private static final Optional<String> SECRET = Optional.of("a secret of the pool");

  @Test
  @Attack("read the server's keys from the database")
  void keys_are_encrypted_by_a_secret_that_is_not_in_the_database() throws Exception {
    try (SqliteStore store = SqliteStore.open(data)) {
      PoolIdentity.share(one, store, Clock.systemUTC(), SECRET);
      String kept = store.setting("server.identity").orElseThrow();
      assertThat(kept).startsWith("sealed-1 ").doesNotContain("admin-token");
      PoolIdentity.share(other, store, Clock.systemUTC(), SECRET);
      assertThat(Files.readString(other.resolve("admin-token")))
          .isEqualTo(Files.readString(one.resolve("admin-token")));
    }
  }

  @Test
  void a_missing_or_another_secret_is_told_in_words() {
    try (SqliteStore store = SqliteStore.open(data)) {
      PoolIdentity.share(one, store, Clock.systemUTC(), SECRET);
      assertThatThrownBy(
              () -> PoolIdentity.share(other, store, Clock.systemUTC(), Optional.empty()))
          .hasMessageContaining("does not have the secret")
          .hasMessageContaining("IMKER_SECRET");
      assertThatThrownBy(
              () -> PoolIdentity.share(other, store, Clock.systemUTC(), Optional.of("another")))
          .hasMessageContaining("all servers must use the same one");
      assertThat(other.resolve("admin-token")).doesNotExist();
    }
  }

  @Test
  void a_pool_without_a_secret_is_encrypted_when_it_gets_one() {
    try (SqliteStore store = SqliteStore.open(data)) {
      PoolIdentity.share(one, store, Clock.systemUTC(), Optional.empty());
      assertThat(store.setting("server.identity").orElseThrow()).contains("admin-token");
      PoolIdentity.share(one, store, Clock.systemUTC(), SECRET);
      assertThat(store.setting("server.identity").orElseThrow()).startsWith("sealed-1 ");
    }
  }

  @Test
  void the_key_of_jobs_secrets_goes_along_encrypted_only() throws Exception {
    Files.writeString(one.resolve("secrets-key"), "the key\n");
    try (SqliteStore store = SqliteStore.open(data)) {
      PoolIdentity.share(one, store, Clock.systemUTC(), SECRET);
      PoolIdentity.share(other, store, Clock.systemUTC(), SECRET);
    }
    assertThat(other.resolve("secrets-key")).hasContent("the key");
    Files.delete(other.resolve("secrets-key"));
    try (SqliteStore store = SqliteStore.open(data.resolve("second"))) {
      PoolIdentity.share(one, store, Clock.systemUTC(), Optional.empty());
      PoolIdentity.share(other, store, Clock.systemUTC(), Optional.empty());
    }
    assertThat(other.resolve("secrets-key")).doesNotExist();
  }

  @Test
  void a_pool_with_secrets_of_jobs_moves_only_with_a_secret_of_its_own() {
    try (SqliteStore store = SqliteStore.open(data)) {
      store.putSetting("secret/ulla/token", "1 sealed-1 x");
    }
    assertThatThrownBy(
            () ->
                PoolMove.run(
                    data,
                    "jdbc:postgresql://127.0.0.1:1/none",
                    new BlobPlace.InDatabase(),
                    line -> {}))
        .hasMessageContaining("Set IMKER_SECRET");
  }

  @Test
  void the_certificate_of_an_earlier_version_is_the_authority_of_every_server() throws Exception {
    try (SqliteStore store = SqliteStore.open(data)) {
      PoolIdentity.share(one, store, Clock.systemUTC(), Optional.empty());
      String now = store.setting("server.identity").orElseThrow();
      store.putSetting("server.identity", now.replace("\nca", "\ncertificate"));
      assertThat(store.setting("server.identity").orElseThrow())
          .contains("\ncertificate.pem ", "\ncertificate-key.pem ");
      PoolIdentity.share(other, store, Clock.systemUTC(), Optional.empty());
      for (String file : new String[] {"ca.pem", "ca-key.pem"}) {
        assertThat(other.resolve(file)).hasSameTextualContentAs(one.resolve(file));
      }
      store.putSetting("server.identity", now.replace("\nca.pem", "\nunknown"));
      assertThatThrownBy(
              () -> PoolIdentity.share(other, store, Clock.systemUTC(), Optional.empty()))
          .hasMessageContaining("lacks the pool's certificate authority");
    }
  }

  private static CertificateRenewal certificate(Path folder, SqliteStore store) {
    PoolIdentity.share(folder, store, Clock.systemUTC(), Optional.empty());
    return new CertificateRenewal(folder, Clock.systemUTC(), PoolIdentity.sharing(folder, store));
  }

  @Test
  void a_new_authority_reaches_all_servers_while_they_run() {
    try (SqliteStore store = SqliteStore.open(data);
        CertificateRenewal first = certificate(one, store);
        CertificateRenewal second = certificate(other, store)) {
      String old = second.current().fingerprint();
      assertThat(old).isEqualTo(first.current().fingerprint());
      String next = first.replaceAuthority().fingerprint();
      second.renewIfDue();
      assertThat(second.current().fingerprint()).isEqualTo(next).isNotEqualTo(old);
      assertThat(second.current().chain().split("BEGIN", -1)).as("with the old one").hasSize(5);
      second.forgetPreviousAuthority();
      first.renewIfDue();
      assertThat(first.current().fingerprint()).isEqualTo(next);
      assertThat(first.current().chain().split("BEGIN", -1)).hasSize(3);
    }
  }
}
