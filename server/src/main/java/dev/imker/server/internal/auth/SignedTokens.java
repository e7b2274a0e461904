package dev.imker.server.internal.auth;

import dev.imker.model.AgentId;
import dev.imker.model.Lease;
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
 *
 * <p>Tasks get tokens too, many thousands a second, so their agent makes them: it signs the lease
 * with its own token as the key. Such a token is {@code imker-t-} and three parts with dots between
 * them: job, index, number and incarnation of the lease; the payload of the agent's token; the
 * signature of both. The server can tell the agent's token from its payload, and so check it.
 */
final class SignedTokens {
  private static final String PREFIX = "imker-s-";
  private static final String TASK_PREFIX = "imker-t-";
  static final String JOIN_PREFIX = "imker-j-";
  private final SecretKeySpec key;

  /** Who a token was issued to, and the stamp of the account then. */
  record Signed(Identity identity, long stamp) {}

  SignedTokens(String adminToken) {
    key = new SecretKeySpec(Secrets.sha256("signed tokens:" + adminToken), "HmacSHA256");
  }

  String issue(Identity identity, long stamp, long expiresMillis) {
    String text = identity.role() + "|" + expiresMillis + "|" + stamp + "|" + identity.user();
    return token(base64(text.getBytes(StandardCharsets.UTF_8)));
  }

  private String token(String payload) {
    return PREFIX + payload + "." + base64(sign(key, payload));
  }

  /** Who the token was issued to; empty if it is not ours, was altered, or is over. */
  Optional<Signed> verify(String token, long nowMillis) {
    int dot = token.lastIndexOf('.');
    if (!token.startsWith(PREFIX) || dot < 0) {
      return Optional.empty();
    }
    String payload = token.substring(PREFIX.length(), dot);
    return equal(token(payload), token) ? read(payload, nowMillis) : Optional.empty();
  }

  /** The secret of a join token: its id and a signature. */
  String joinSecret(String id) {
    return JOIN_PREFIX + id + "." + derived("join:" + id);
  }

  /** The id of a join token; empty if it is not ours. */
  Optional<String> verifyJoin(String secret) {
    int dot = secret.lastIndexOf('.');
    if (dot < JOIN_PREFIX.length()) {
      return Optional.empty();
    }
    String id = secret.substring(JOIN_PREFIX.length(), dot);
    return equal(joinSecret(id), secret) ? Optional.of(id) : Optional.empty();
  }

  /** What a task's token says; empty if no agent of ours made it. */
  Optional<Identity.Held> verifyTask(String token, long nowMillis) {
    if (!token.startsWith(TASK_PREFIX)) {
      return Optional.empty();
    }
    String[] parts = token.substring(TASK_PREFIX.length()).split("\\.", 3);
    if (parts.length != 3) {
      return Optional.empty();
    }
    String signed = parts[0] + "." + parts[1];
    SecretKeySpec agentKey =
        new SecretKeySpec(token(parts[1]).getBytes(StandardCharsets.US_ASCII), "HmacSHA256");
    if (!equal(base64(sign(agentKey, signed)), parts[2])) {
      return Optional.empty();
    }
    return read(parts[1], nowMillis)
        .filter(agent -> agent.identity.role() == Role.AGENT)
        .flatMap(agent -> held(agent.identity.user(), parts[0]));
  }

  private static Optional<Identity.Held> held(String agent, String lease) {
    try {
      return Optional.of(new Identity.Held(new AgentId(agent), Lease.parse(lease)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static Optional<Signed> read(String payload, long nowMillis) {
    byte[] bytes = Base64.getUrlDecoder().decode(payload);
    String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\\|", 4);
    if (parts.length != 4 || Long.parseLong(parts[1]) < nowMillis) {
      return Optional.empty();
    }
    Role role = Role.valueOf(parts[0]);
    long stamp = Long.parseLong(parts[2]);
    Identity identity =
        role == Role.AGENT ? Identity.agent(parts[3], stamp) : new Identity(parts[3], role);
    return Optional.of(new Signed(identity, stamp));
  }

  private static boolean equal(String expected, String given) {
    return MessageDigest.isEqual(
        expected.getBytes(StandardCharsets.US_ASCII), given.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] sign(SecretKeySpec key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }

  /** A secret that follows from this server's own and a name. */
  String derived(String name) {
    return base64(sign(key, "derived:" + name));
  }

  private static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
