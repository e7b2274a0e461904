package dev.imker.agent.internal.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.agent.internal.cache.BlobSource;
import dev.imker.agent.internal.cache.Sha256;
import dev.imker.model.ImkerException;
import dev.imker.testbase.Attack;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class UpdatesTest {
  private static final byte[] SOFTWARE = "a jar".getBytes(StandardCharsets.UTF_8);
  private static final String BUILD = Sha256.of("a jar");
  private static final BlobSource SERVER =
      (_, _) -> new BlobSource.Content(new ByteArrayInputStream(SOFTWARE), 0);

  @TempDir Path data;

  private static KeyPair key() throws Exception {
    return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
  }

  private static Updates.Offer offer(String build, KeyPair signer, KeyPair told) throws Exception {
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(signer.getPrivate());
    signature.update(("imker agent build " + build).getBytes(StandardCharsets.UTF_8));
    return new Updates.Offer(build, signature.sign(), told.getPublic().getEncoded(), new byte[0]);
  }

  @Test
  void software_signed_by_the_pools_key_is_fetched() throws Exception {
    KeyPair pool = key();
    Path jar = new Updates(data).fetch(offer(BUILD, pool, pool), Optional.empty(), SERVER);
    assertThat(jar).hasBinaryContent(SOFTWARE);
  }

  @Test
  @Attack("send an update signed with another key")
  void the_key_of_the_first_time_is_the_only_one_trusted() throws Exception {
    KeyPair pool = key();
    new Updates(data).fetch(offer(BUILD, pool, pool), Optional.empty(), SERVER);
    KeyPair stranger = key();
    assertThatThrownBy(
            () ->
                new Updates(data).fetch(offer(BUILD, stranger, stranger), Optional.empty(), SERVER))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("not signed by the key");
  }

  @Test
  @Attack("send an update with the signature of a different one")
  void a_signature_of_something_else_is_refused() throws Exception {
    KeyPair pool = key();
    Updates.Offer other = offer("ab".repeat(32), pool, pool);
    Updates.Offer wrong = new Updates.Offer(BUILD, other.signature(), other.key(), new byte[0]);
    assertThatThrownBy(() -> new Updates(data).fetch(wrong, Optional.empty(), SERVER))
        .isInstanceOf(ImkerException.class);
    assertThat(new Updates(data).jar(BUILD)).doesNotExist();
  }

  @Test
  @Attack("send an update signed with the pool's key to an owner who requires another key")
  void an_owner_with_a_release_key_takes_only_what_it_signed() throws Exception {
    KeyPair pool = key();
    KeyPair offline = key();
    Updates.Offer plain = offer(BUILD, pool, pool);
    assertThatThrownBy(
            () -> new Updates(data).fetch(plain, Optional.of(offline.getPublic()), SERVER))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("release-key");
    Updates.Offer signed =
        new Updates.Offer(
            BUILD, plain.signature(), plain.key(), offer(BUILD, offline, offline).signature());
    assertThat(new Updates(data).fetch(signed, Optional.of(offline.getPublic()), SERVER)).exists();
  }

  @Test
  @Attack("send a damaged update")
  void damaged_software_is_not_kept() throws Exception {
    KeyPair pool = key();
    BlobSource damaged = (_, _) -> new BlobSource.Content(new ByteArrayInputStream(new byte[3]), 0);
    assertThatThrownBy(
            () -> new Updates(data).fetch(offer(BUILD, pool, pool), Optional.empty(), damaged))
        .isInstanceOf(IOException.class);
    assertThat(new Updates(data).jar(BUILD)).doesNotExist();
  }

  @Test
  void a_version_that_did_not_come_up_is_remembered() throws Exception {
    Updates updates = new Updates(data);
    Files.createDirectories(data.resolve("versions"));
    assertThat(updates.isBad(BUILD)).isFalse();
    updates.markBad(BUILD);
    assertThat(new Updates(data).isBad(BUILD)).isTrue();
  }
}
