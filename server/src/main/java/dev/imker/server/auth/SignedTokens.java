package dev.imker.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tokens that carry who they are for and until when, signed by the server: login cookies, and what
 * agents present for blobs. They stay valid over a restart because the key follows from the admin
 * token, and a new admin token makes all of them void.
 */
public final class SignedTokens {
  private static final String PREFIX = "imker-s-";
  private final SecretKeySpec key;

  SignedTokens(String adminToken) {
    key = new SecretKeySpec(Secrets.sha256("signed tokens:" + adminToken), "HmacSHA256");
  }

  public String issue(Identity identity, long expiresMillis) {
    String text = identity.role() + "|" + expiresMillis + "|" + identity.user();
    String payload = base64(text.getBytes(StandardCharsets.UTF_8));
    return PREFIX + payload + "." + base64(sign(payload));
  }

  /** Who the token was issued to; empty if it is not ours, was altered, or is over. */
  Optional<Identity> verify(String token, long nowMillis) {
    int dot = token.lastIndexOf('.');
    if (!token.startsWith(PREFIX) || dot < 0) {
      return Optional.empty();
    }
    String payload = token.substring(PREFIX.length(), dot);
    byte[] signature = base64(sign(payload)).getBytes(StandardCharsets.US_ASCII);
    byte[] given = token.substring(dot + 1).getBytes(StandardCharsets.US_ASCII);
    return MessageDigest.isEqual(signature, given) ? read(payload, nowMillis) : Optional.empty();
  }

  private static Optional<Identity> read(String payload, long nowMillis) {
    byte[] bytes = Base64.getUrlDecoder().decode(payload);
    String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\\|", 3);
    boolean over = Long.parseLong(parts[1]) < nowMillis;
    return over ? Optional.empty() : Optional.of(new Identity(parts[2], Role.valueOf(parts[0])));
  }

  private byte[] sign(String payload) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return mac.doFinal(payload.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
