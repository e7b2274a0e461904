package dev.imker.server.internal.auth;

import dev.imker.model.ImkerException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** Encrypts texts (AES-256-GCM) with a secret that is stored elsewhere. */
public final class SecretBox {
  private static final String PREFIX = "sealed-1 ";
  private static final int SALT_BYTES = 16;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int KEY_BITS = 256;
  private static final int ROUNDS = 210_000;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String secret;

  public SecretBox(String secret) {
    this.secret = secret;
  }

  public static boolean isSealed(String text) {
    return text.startsWith(PREFIX);
  }

  public String seal(String text) {
    byte[] salt = random(SALT_BYTES);
    byte[] nonce = random(NONCE_BYTES);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, salt, nonce);
      byte[] sealed = cipher.doFinal(text.getBytes(StandardCharsets.UTF_8));
      Base64.Encoder base64 = Base64.getEncoder();
      return PREFIX
          + base64.encodeToString(salt)
          + " "
          + base64.encodeToString(nonce)
          + " "
          + base64.encodeToString(sealed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has AES", e);
    }
  }

  /**
   * @throws ImkerException if it was sealed by another secret, or changed since
   */
  public String open(String sealed) {
    try {
      String[] parts = sealed.substring(PREFIX.length()).split(" ", 3);
      Base64.Decoder base64 = Base64.getDecoder();
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, base64.decode(parts[0]), base64.decode(parts[1]));
      return new String(cipher.doFinal(base64.decode(parts[2])), StandardCharsets.UTF_8);
    } catch (AEADBadTagException e) {
      throw new ImkerException("It was encrypted with another key, or has been changed.", e);
    } catch (GeneralSecurityException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new ImkerException("It is damaged.", e);
    }
  }

  private Cipher cipher(int mode, byte[] salt, byte[] nonce) throws GeneralSecurityException {
    PBEKeySpec spec = new PBEKeySpec(secret.toCharArray(), salt, ROUNDS, KEY_BITS);
    SecretKey derived = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec);
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        mode,
        new SecretKeySpec(derived.getEncoded(), "AES"),
        new GCMParameterSpec(TAG_BITS, nonce));
    return cipher;
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    return bytes;
  }
}
