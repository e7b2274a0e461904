package dev.imker.agent.internal.home;

import dev.imker.agent.internal.cache.ServerAccess;
import dev.imker.model.Lease;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * How a task reaches the server while it runs: its address and those of the others, a token, and
 * the servers' certificate where they have their own. The token names the task's lease, signed with
 * the agent's own credential: creating it needs no message, and it is worthless after the lease has
 * ended.
 */
public final class TaskAccess {
  private static final String AGENT_PREFIX = "imker-s-";

  /** Requests through the socket need no other address. */
  private static final String BY_SOCKET = "http://localhost";

  private static final String TASK_PREFIX = "imker-t-";

  private final ServerAccess server;
  private final CertificateFile certificate;
  private final String socket;

  /**
   * @param socket of the agent, by which tasks reach the server where they have no network; empty
   *     if they have
   */
  public TaskAccess(ServerAccess server, String fingerprint, Path folder, String socket) {
    this.server = server;
    this.socket = socket;
    certificate = new CertificateFile(fingerprint, folder.resolve("server.pem"));
  }

  /**
   * Variables for the process of a lease; none while no server with tokens for tasks was reached.
   */
  public Map<String, String> environment(Lease lease) {
    Map<String, String> env = new LinkedHashMap<>();
    Optional<ServerAccess.Access> last = server.last();
    if (last.isPresent() && isSigned(last.get().token())) {
      if (!socket.isEmpty()) {
        env.put("IMKER_SOCKET", socket);
        env.put("IMKER_URL", BY_SOCKET);
        env.put("IMKER_URLS", BY_SOCKET);
        env.put("IMKER_TASK_TOKEN", token(lease, last.get().token()));
        return env;
      }
      List<URI> servers = last.get().servers();
      env.put("IMKER_URL", last.get().base().toString());
      env.put("IMKER_URLS", servers.stream().map(URI::toString).collect(Collectors.joining(",")));
      env.put("IMKER_TASK_TOKEN", token(lease, last.get().token()));
      certificate.of(servers).ifPresent(file -> env.put("IMKER_CACERT", file.toString()));
    }
    return env;
  }

  private static boolean isSigned(String agentToken) {
    return agentToken.startsWith(AGENT_PREFIX)
        && agentToken.lastIndexOf('.') > AGENT_PREFIX.length();
  }

  static String token(Lease lease, String agentToken) {
    int dot = agentToken.lastIndexOf('.');
    String payload = agentToken.substring(AGENT_PREFIX.length(), dot);
    String signed = lease.text() + "." + payload;
    return TASK_PREFIX + signed + "." + sign(agentToken, signed);
  }

  /** The signer of the token in use: making one costs more than signing. */
  private record Signer(String key, Mac mac) {}

  private static volatile @Nullable Signer lastSigner;

  private static Mac signer(String key) throws GeneralSecurityException {
    Signer last = lastSigner;
    if (last == null || !last.key.equals(key)) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
      last = new Signer(key, mac);
      lastSigner = last;
    }
    try {
      return (Mac) last.mac.clone();
    } catch (CloneNotSupportedException e) {
      throw new GeneralSecurityException(e);
    }
  }

  private static String sign(String key, String text) {
    try {
      Mac mac = signer(key);
      byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }
}
