package dev.imker.model.attest;

import dev.imker.model.BlobId;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;

/** Signatures of nodes and agents. */
public final class Ed25519 {
  public static final String ALGORITHM = "Ed25519";

  /** The maximum length of a key of this kind. */
  private static final int MAX_KEY_BYTES = 100;

  private static final int FINGERPRINT_CHARS = 16;

  private Ed25519() {}

  public static byte[] sign(PrivateKey key, byte[] text) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(key);
      signature.update(text);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has Ed25519", e);
    }
  }

  /** A short fingerprint of a public key (X.509) for people. */
  public static String fingerprint(byte[] key) {
    return BlobId.of(key).sha256().substring(0, FINGERPRINT_CHARS);
  }

  /**
   * Whether the signature is one of this text by this key.
   *
   * @param key public, X.509
   */
  public static boolean verify(byte[] key, byte[] text, byte[] signature) {
    if (key.length == 0 || key.length > MAX_KEY_BYTES) {
      return false;
    }
    try {
      Signature check = Signature.getInstance(ALGORITHM);
      check.initVerify(
          KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(key)));
      check.update(text);
      return check.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
