package dev.imker.server.update;

import dev.imker.model.BlobId;
import dev.imker.server.internal.auth.PrivateFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;

/** The key that a pool signs its software with (Ed25519); made once and kept in the data folder. */
final class ReleaseKey {
  /** What is signed begins so, so that no signature of something else fits. */
  static final String PURPOSE = "imker agent build ";

  private static final String FILE = "release-key";
  private static final String ALGORITHM = "Ed25519";

  private final PrivateKey secret;
  private final PublicKey open;

  private ReleaseKey(PrivateKey secret, PublicKey open) {
    this.secret = secret;
    this.open = open;
  }

  static ReleaseKey open(Path dataFolder) throws GeneralSecurityException {
    Path file = dataFolder.resolve(FILE);
    Optional<String> kept = PrivateFile.read(file);
    if (kept.isPresent()) {
      String[] parts = kept.get().strip().split(" ", 2);
      KeyFactory keys = KeyFactory.getInstance(ALGORITHM);
      return new ReleaseKey(
          keys.generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(parts[0]))),
          keys.generatePublic(new X509EncodedKeySpec(Base64.getDecoder().decode(parts[1]))));
    }
    KeyPair fresh = KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
    Base64.Encoder text = Base64.getEncoder();
    PrivateFile.write(
        file,
        text.encodeToString(fresh.getPrivate().getEncoded())
            + " "
            + text.encodeToString(fresh.getPublic().getEncoded())
            + "\n");
    return new ReleaseKey(fresh.getPrivate(), fresh.getPublic());
  }

  byte[] sign(BlobId build) throws GeneralSecurityException {
    Signature signature = Signature.getInstance(ALGORITHM);
    signature.initSign(secret);
    signature.update((PURPOSE + build.sha256()).getBytes(StandardCharsets.UTF_8));
    return signature.sign();
  }

  byte[] publicKey() {
    return open.getEncoded();
  }
}
