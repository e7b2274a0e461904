package dev.imker.agent.internal.update;

import dev.imker.agent.internal.cache.BlobSource;
import dev.imker.agent.internal.cache.Sha256;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the server's software if it is signed with the key that this agent has trusted since it
 * first joined the pool.
 *
 * <p>Files in {@code versions}: {@code BUILD.jar}; {@code BUILD.bad} if that one did not come up;
 * {@code key}, the key that is trusted.
 */
public final class Updates {
  private static final String PURPOSE = "imker agent build ";

  private final Path folder;

  public Updates(Path dataFolder) {
    this.folder = dataFolder.resolve("versions");
  }

  /**
   * The software offered by a server.
   *
   * @param ownerSignature by a key that no server has; empty if there is none
   */
  public record Offer(String build, byte[] signature, byte[] key, byte[] ownerSignature) {}

  public Path jar(String build) {
    return folder.resolve(build + ".jar");
  }

  public boolean isBad(String build) {
    return Files.exists(folder.resolve(build + ".bad"));
  }

  /** Records that a build did not start, so that it is not tried again. */
  public void markBad(String build) throws IOException {
    Files.writeString(folder.resolve(build + ".bad"), "did not start\n");
    Files.deleteIfExists(jar(build));
  }

  /**
   * Fetches what is offered and returns where it lies.
   *
   * @param releaseKey who must have signed it besides the pool, if the owner says so
   * @throws ImkerException when a signature is not by the key that is trusted
   */
  public Path fetch(Offer offer, Optional<PublicKey> releaseKey, BlobSource source)
      throws IOException, InterruptedException {
    BlobId build = new BlobId(offer.build());
    check(offer);
    if (releaseKey.isPresent() && !fits(releaseKey.get(), offer.build(), offer.ownerSignature())) {
      throw new ImkerException(
          "The server offers the build "
              + offer.build()
              + ", which is not signed by the release-key of the policy; the agent keeps"
              + " its own version (imker sign-release).");
    }
    Path jar = jar(offer.build());
    if (Files.exists(jar) && Sha256.of(jar).equals(build)) {
      return jar;
    }
    Path draft = folder.resolve(offer.build() + ".new");
    try (BlobSource.Content content = source.open(build, 0)) {
      Files.copy(content.stream(), draft, StandardCopyOption.REPLACE_EXISTING);
    }
    if (!Sha256.of(draft).equals(build)) {
      Files.delete(draft);
      throw new IOException("the software was damaged in transit");
    }
    Files.move(draft, jar, StandardCopyOption.ATOMIC_MOVE);
    return jar;
  }

  private void check(Offer offer) throws IOException {
    byte[] trusted = trustedKey(offer.key());
    try {
      PublicKey key =
          KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(trusted));
      if (fits(key, offer.build(), offer.signature())) {
        return;
      }
    } catch (GeneralSecurityException e) {
      throw refusal(e);
    }
    throw refusal(null);
  }

  private static boolean fits(PublicKey key, String build, byte[] signed) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      signature.initVerify(key);
      signature.update((PURPOSE + build).getBytes(StandardCharsets.UTF_8));
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private ImkerException refusal(@Nullable Exception cause) {
    String message =
        "The server offers software that is not signed by the key this agent has trusted"
            + " since it first joined; it keeps its own version. If the pool has a new key,"
            + " delete "
            + folder.resolve("key")
            + ".";
    return cause == null ? new ImkerException(message) : new ImkerException(message, cause);
  }

  /** The key of the first offer is trusted from then on: it came with the token's certificate. */
  private byte[] trustedKey(byte[] offered) throws IOException {
    Path file = Files.createDirectories(folder).resolve("key");
    if (Files.exists(file)) {
      return Base64.getDecoder().decode(Files.readString(file).strip());
    }
    Path draft = folder.resolve("key.new");
    Files.writeString(draft, Base64.getEncoder().encodeToString(offered) + "\n");
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    return offered;
  }
}
