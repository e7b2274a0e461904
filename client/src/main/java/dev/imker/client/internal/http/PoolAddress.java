package dev.imker.client.internal.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where a pool is and how to be let in: given, or as the command line finds it: {@code IMKER_URL},
 * {@code IMKER_TOKEN} and {@code IMKER_FINGERPRINT}, else the file that {@code imker up} wrote.
 */
public record PoolAddress(List<URI> urls, String token, String fingerprint) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  public PoolAddress {
    urls = List.copyOf(urls);
  }

  /** One that is given; the fingerprint comes from the context file if that is of the same pool. */
  public static PoolAddress of(String url, String token, Map<String, String> environment) {
    List<URI> addresses = Arrays.stream(url.split(",")).map(PoolAddress::parse).toList();
    String pinned = environment.getOrDefault("IMKER_FINGERPRINT", "");
    Path file = contextFile(environment);
    if (pinned.isEmpty() && Files.exists(file)) {
      PoolAddress saved = read(file);
      pinned = saved.urls.contains(addresses.getFirst()) ? saved.fingerprint : "";
    }
    return new PoolAddress(addresses, token, pinned);
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
          "No Imker pool is known here. Start one with 'imker up', set IMKER_URL and IMKER_TOKEN,"
              + " or use Imker.connect(url, token).");
    }
    PoolAddress saved = read(file);
    return token.isEmpty() ? saved : new PoolAddress(saved.urls, token, saved.fingerprint);
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
      Set<URI> addresses = new LinkedHashSet<>(List.of(parse(node.path("url").asText())));
      node.path("urls").forEach(further -> addresses.add(parse(further.asText())));
      return new PoolAddress(
          List.copyOf(addresses), node.path("token").asText(), node.path("fingerprint").asText());
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
