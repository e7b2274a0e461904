package dev.imker.model;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of a blob's content in lower-case hexadecimal; the blob's only name. */
public record BlobId(String sha256) {
  public BlobId {
    if (!isValid(sha256)) {
      throw new IllegalArgumentException("not a SHA-256 in lower-case hexadecimal: " + sha256);
    }
  }

  /** The id of the given content. */
  public static BlobId of(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return new BlobId(HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  public static boolean isValid(String text) {
    if (text.length() != 64) {
      return false;
    }
    for (int i = 0; i < 64; i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return sha256;
  }
}
