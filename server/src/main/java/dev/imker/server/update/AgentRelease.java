package dev.imker.server.update;

import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.code.CodePlace;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.BlobUpload;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The software that this server runs, offered to agents that run another one: a blob like any
 * other, with a signature by the key of the pool.
 */
public final class AgentRelease {
  private static final Logger LOG = LoggerFactory.getLogger(AgentRelease.class);
  private static final int BUFFER_BYTES = 128 << 10;

  /** A jar's signature lies beside it under its name and this. */
  public static final String SIGNATURE_ENDING = ".sig";

  /**
   * What agents are told: the hash of the jar, the signature of it, and the key to check it.
   *
   * @param ownerSignature by a key that is kept elsewhere ({@code imker sign-release}); may be
   *     empty
   */
  public record Offer(String build, byte[] signature, byte[] key, byte[] ownerSignature) {
    public static final Offer NONE = new Offer("", new byte[0], new byte[0], new byte[0]);
  }

  private volatile Offer offer = Offer.NONE;

  /** What there is to offer; none until it has been prepared, and without a jar. */
  public Offer offer() {
    return offer;
  }

  /** Prepares the offer in the background, because hashing a jar takes a moment. */
  public void prepare(Path dataFolder, BlobStore blobs) {
    Optional<Path> jar = ownJar();
    jar.ifPresent(
        file ->
            Thread.ofPlatform()
                .daemon()
                .name("imker-release")
                .start(() -> prepare(file, dataFolder, blobs)));
  }

  void prepare(Path jar, Path dataFolder, BlobStore blobs) {
    try {
      BlobId build = hash(jar);
      if (!blobs.has(build)) {
        store(jar, build, blobs);
      }
      ReleaseKey key = ReleaseKey.open(dataFolder);
      offer = new Offer(build.sha256(), key.sign(build), key.publicKey(), ownerSignature(jar));
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      LOG.warn("Cannot offer this server's version to agents: {}", e.getMessage());
    }
  }

  /** What {@code imker sign-release} left beside the jar. */
  private static byte[] ownerSignature(Path jar) throws IOException {
    Path file = jar.resolveSibling(jar.getFileName() + SIGNATURE_ENDING);
    return Files.exists(file)
        ? Base64.getDecoder().decode(Files.readString(file).strip())
        : new byte[0];
  }

  public static String signedText(BlobId build) {
    return ReleaseKey.PURPOSE + build.sha256();
  }

  /** Makes the key that software is signed with, if the folder has none. */
  public static void makeKey(Path dataFolder) {
    try {
      ReleaseKey.open(dataFolder);
    } catch (GeneralSecurityException e) {
      throw new ImkerException("The release key in " + dataFolder + " cannot be used.", e);
    }
  }

  /** The jar that this server runs from; none in tests. */
  public static Optional<Path> ownJar() {
    try {
      return Optional.of(CodePlace.of(AgentRelease.class)).filter(Files::isRegularFile);
    } catch (ImkerException e) {
      return Optional.empty();
    }
  }

  public static BlobId hash(Path file) throws IOException, GeneralSecurityException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
    }
    return new BlobId(HexFormat.of().formatHex(digest.digest()));
  }

  private static void store(Path file, BlobId build, BlobStore blobs) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file);
        BlobUpload upload = blobs.upload(build)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        upload.write(buffer, 0, n);
      }
      upload.finish();
    }
  }
}
