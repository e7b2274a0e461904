package dev.imker.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Where a pool is and how to be let in: given, or as the command line finds it: {@code IMKER_URL},
 * {@code IMKER_TOKEN} and {@code IMKER_FINGERPRINT}, else the file that {@code imker up} wrote.
 */
public record PoolAddress(URI url, String token, String fingerprint) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** One that is given; the fingerprint comes from the context file if that is of the same pool. */
  public static PoolAddress of(String url, String token, Map<String, String> environment) {
    URI address = parse(url);
    String pinned = environment.getOrDefault("IMKER_FINGERPRINT", "");
    Path file = contextFile(environment);
    if (pinned.isEmpty() && Files.exists(file)) {
      PoolAddress saved = read(file);
      pinned = saved.url.equals(address) ? saved.fingerprint : "";
    }
    return new PoolAddress(address, token, pinned);
  }

  public static PoolAddress find(Map<String, String> environment) {
    String url = environment.getOrDefault("IMKER_URL", "");
    String token = environment.getOrDefault("IMKER_TOKEN", "");
    if (!url.isEmpty() && !token.isEmpty()) {
      return of(url, token, environment);
    }
    Path file = contextFile(environment);
    if (!Files.exists(file)) {
      throw new ImkerException(
          "No Imker pool is known here. Start one with 'imker up', set IMKER_URL and IMKER_TOKEN, or"
              + " use Imker.connect(url, token).");
    }
    PoolAddress saved = read(file);
    return token.isEmpty() ? saved : new PoolAddress(saved.url, token, saved.fingerprint);
  }

  private static Path contextFile(Map<String, String> environment) {
    String home = environment.getOrDefault("IMKER_HOME", "");
    Path folder =
        home.isEmpty() ? Path.of(System.getProperty("user.home"), ".imker") : Path.of(home);
    return folder.resolve("context.json");
  }

  private static PoolAddress read(Path file) {
    try {
      JsonNode node = JSON.readTree(Files.readString(file));
      return new PoolAddress(
          parse(node.path("url").asText()),
          node.path("token").asText(),
          node.path("fingerprint").asText());
    } catch (IOException e) {
      throw new ImkerException("Cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private static URI parse(String text) {
    String url = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    if (!url.matches("https?://[^/\\s]+")) {
      throw new ImkerException(
          "'" + text + "' is not the address of a pool. Write it as http://HOST:PORT.");
    }
    return URI.create(url);
  }
}
