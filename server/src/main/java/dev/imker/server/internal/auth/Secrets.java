package dev.imker.server.internal.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;

/** Random secrets of 256 bits and their hashes, which are random enough not to need a slow hash. */
public final class Secrets {
  private static final SecureRandom RANDOM = new SecureRandom();

  private Secrets() {}

  static String random() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static String randomHex(int length) {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  public static String hash(String secret) {
    return HexFormat.of().formatHex(sha256(secret));
  }

  /** Takes the same time wherever the difference is. */
  static boolean matches(String hash, String secret) {
    byte[] expected = hash.getBytes(StandardCharsets.US_ASCII);
    return MessageDigest.isEqual(expected, hash(secret).getBytes(StandardCharsets.US_ASCII));
  }
}
