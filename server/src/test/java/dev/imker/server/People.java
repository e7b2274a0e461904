package dev.imker.server;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Users of a test server, each with a token. */
final class People {
  private final TestServer server;
  private final Map<String, String> tokens = new ConcurrentHashMap<>();

  People(TestServer server) {
    this.server = server;
  }

  Rest add(String name, String role) {
    Rest admin = server.admin();
    require(
        201,
        admin.post("/api/v1/users", "{\"user\":\"%s\",\"role\":\"%s\"}".formatted(name, role)));
    Rest.Reply token =
        require(
            201,
            admin.post("/api/v1/tokens", "{\"user\":\"%s\",\"title\":\"test\"}".formatted(name)));
    tokens.put(name, token.json().get("token").asText());
    return as(name);
  }

  Rest as(String name) {
    return server.withToken(tokens.getOrDefault(name, "nobody"));
  }

  /**
   * What a task of an agent that this server welcomed would get: job, index, number of the lease.
   */
  String taskToken(String lease) {
    try (TestAgent agent = server.agent("maker-of-tokens")) {
      return sign(lease, agent.nextWelcome().getBlobToken());
    }
  }

  /** The token of a task, made like an agent does with its own token. */
  static String sign(String lease, String agentToken) {
    try {
      String payload = agentToken.substring("imker-s-".length(), agentToken.lastIndexOf('.'));
      String signed = lease + "." + payload;
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(agentToken.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
      byte[] signature = mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII));
      return "imker-t-"
          + signed
          + "."
          + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static Rest.Reply require(int status, Rest.Reply reply) {
    if (reply.status() != status) {
      throw new AssertionError(reply.status() + " " + reply.text());
    }
    return reply;
  }
}
