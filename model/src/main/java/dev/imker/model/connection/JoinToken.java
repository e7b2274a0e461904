package dev.imker.model.connection;

import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.CRC32;

/**
 * All an agent needs to join a pool, in one word that can be copied: where the server is, the
 * secret, and the SHA-256 fingerprint of its certificate (empty without TLS).
 */
public record JoinToken(List<String> urls, String secret, String fingerprint) {
  /** The prefix of every join token. */
  public static final String PREFIX = "imker-join-";

  private static final String VERSION = "v2";

  public JoinToken {
    urls = List.copyOf(urls);
    if (urls.isEmpty()) {
      throw new IllegalArgumentException("a join token needs an address");
    }
    if (secret.isEmpty() || secret.contains("|")) {
      throw new IllegalArgumentException("not a secret for a join token");
    }
    if (!fingerprint.isEmpty() && !BlobId.isValid(fingerprint)) {
      throw new IllegalArgumentException("not a SHA-256 fingerprint: " + fingerprint);
    }
  }

  public JoinToken withFingerprint(String other) {
    return new JoinToken(urls, secret, other);
  }

  public String encode() {
    String text = String.join("|", VERSION, secret, fingerprint, String.join(",", urls));
    byte[] bytes = (text + "|" + checksum(text)).getBytes(StandardCharsets.UTF_8);
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * Parses the result of {@link #encode}; the message of the exception never contains the secret.
   */
  public static JoinToken parse(String text) {
    String word = text.strip();
    if (!word.startsWith(PREFIX)) {
      throw invalid("it does not start with " + PREFIX);
    }
    String content = decode(word.substring(PREFIX.length()));
    String[] parts = content.split("\\|", -1);
    if (!parts[0].equals(VERSION) && parts[0].matches("v[0-9]{1,3}")) {
      throw new ImkerException(
          "This join token was created by another version of Imker; update this agent, or"
              + " use a token from a server of the same version.");
    }
    if (!parts[0].equals(VERSION)
        || parts.length != 5
        || !checksum(content.substring(0, content.lastIndexOf('|'))).equals(parts[4])) {
      throw damaged();
    }
    try {
      return new JoinToken(Arrays.asList(parts[3].split(",")), parts[1], parts[2]);
    } catch (IllegalArgumentException e) {
      throw damaged();
    }
  }

  /** Distinguishes a copying error from a secret unknown to the server. */
  private static String checksum(String text) {
    CRC32 sum = new CRC32();
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(sum.getValue());
  }

  private static String decode(String base64) {
    try {
      return new String(Base64.getUrlDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw damaged();
    }
  }

  private static ImkerException damaged() {
    return invalid("it is cut off or damaged");
  }

  private static ImkerException invalid(String why) {
    return new ImkerException(
        "Not a join token: "
            + why
            + ". Copy the whole token printed by 'imker up' or 'imker join'.");
  }

  /** Never contains the secret. */
  @Override
  public String toString() {
    return "JoinToken[urls=" + urls + ", fingerprint=" + fingerprint + "]";
  }
}
