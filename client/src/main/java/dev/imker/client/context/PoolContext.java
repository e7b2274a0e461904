package dev.imker.client.context;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.model.ImkerException;
import dev.imker.model.connection.PinnedCertificate;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a pool: addresses of its servers, token and, for a server with a generated
 * certificate, its fingerprint. {@code imker up} writes one under the user's home; options and
 * environment override it.
 */
public record PoolContext(List<URI> urls, String token, String fingerprint) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  public PoolContext {
    urls = List.copyOf(urls);
  }

  public PoolContext(URI url, String token, String fingerprint) {
    this(List.of(url), token, fingerprint);
  }

  /** The server to ask first; the others are used when it is away. */
  public URI url() {
    return urls.getFirst();
  }

  /** The pool given by options, otherwise by the environment, otherwise by the context file. */
  public static PoolContext find(
      @Nullable String url, @Nullable String token, Map<String, String> environment) {
    ImkerHome home = ImkerHome.of(environment);
    String chosenUrl = firstGiven(url, environment.get("IMKER_URL"));
    String chosenToken = firstGiven(token, environment.get("IMKER_TOKEN"));
    Optional<PoolContext> saved;
    try {
      saved = read(home.contextFile());
    } catch (ImkerException e) {
      if (chosenUrl == null || chosenToken == null) {
        throw e;
      }
      saved = Optional.empty(); // nothing of it is needed
    }
    if (chosenUrl == null) {
      PoolContext context =
          saved.orElseThrow(
              () ->
                  new NoServerException(
                      "No Imker server is known here. Start one with 'imker up', or name one with"
                          + " --server URL --token TOKEN (or IMKER_URL and IMKER_TOKEN)."));
      return chosenToken == null
          ? context
          : new PoolContext(context.urls, chosenToken, context.fingerprint);
    }
    List<URI> addresses = Arrays.stream(chosenUrl.split(",")).map(PoolContext::parse).toList();
    URI address = addresses.getFirst();
    String fingerprint = environment.getOrDefault("IMKER_FINGERPRINT", "");
    if (saved.isPresent() && saved.get().urls.contains(address)) {
      return new PoolContext(
          addresses,
          chosenToken == null ? saved.get().token : chosenToken,
          fingerprint.isEmpty() ? saved.get().fingerprint : fingerprint);
    }
    if (chosenToken == null) {
      throw new NoServerException(
          "No token for "
              + address
              + ". Log in with 'imker login "
              + address
              + "', or pass one with --token TOKEN or IMKER_TOKEN.");
    }
    return new PoolContext(addresses, chosenToken, fingerprint);
  }

  /** Stores the new authority of a pool that has replaced the one in the context file. */
  public static void leadOver(Map<String, String> environment) {
    Path file = ImkerHome.of(environment).contextFile();
    try {
      read(file).ifPresent(saved -> saved.leadOver(file));
    } catch (ImkerException _) {
      // The command has already reported what is wrong with it.
    }
  }

  private void leadOver(Path file) {
    PinnedCertificate.successorOf(fingerprint)
        .ifPresent(next -> new PoolContext(urls, token, next).write(file));
  }

  /** Writes the context so that only its owner can read it. */
  public void write(Path file) {
    ObjectNode node = JSON.createObjectNode();
    node.put("version", 1);
    node.put("url", url().toString());
    if (urls.size() > 1) {
      urls.forEach(url -> node.withArray("urls").add(url.toString()));
    }
    node.put("token", token);
    node.put("fingerprint", fingerprint);
    try {
      Files.createDirectories(file.getParent());
      Path fresh = Files.createTempFile(file.getParent(), "context", ".json");
      if (Files.getFileStore(fresh).supportsFileAttributeView("posix")) {
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
      }
      Files.writeString(fresh, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(node));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new ImkerException(
          "Cannot write "
              + file
              + ": "
              + FileTrouble.inWords(e)
              + ". Set IMKER_HOME to a writable folder.",
          e);
    }
  }

  /** The context in a file, empty if there is none. */
  public static Optional<PoolContext> read(Path file) {
    if (Files.notExists(file)) { // different from one that is not readable
      return Optional.empty();
    }
    try {
      JsonNode node = JSON.readTree(Files.readString(file));
      List<URI> addresses = new ArrayList<>(List.of(parse(node.path("url").asText())));
      for (JsonNode further : node.path("urls")) {
        if (!addresses.contains(parse(further.asText()))) {
          addresses.add(parse(further.asText()));
        }
      }
      return Optional.of(
          new PoolContext(
              addresses, node.path("token").asText(), node.path("fingerprint").asText()));
    } catch (JsonProcessingException e) {
      throw garbage(file, e);
    } catch (IOException e) {
      throw new ImkerException(
          "Cannot read "
              + file
              + ": "
              + FileTrouble.inWords(e)
              + ". Set IMKER_HOME to another folder.",
          e);
    } catch (ImkerException e) {
      throw garbage(file, e);
    }
  }

  private static ImkerException garbage(Path file, Exception cause) {
    return new ImkerException(
        file
            + " does not contain the address of a server. Delete it, then start 'imker up'"
            + " again or log in with 'imker login URL'.",
        cause);
  }

  /** Parses the address of a server. */
  public static URI parse(String text) {
    try {
      URI uri = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
      if (uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      throw badAddress(text, e);
    }
    throw badAddress(text, null);
  }

  private static ImkerException badAddress(String text, @Nullable Throwable cause) {
    String message =
        "'" + text + "' is not a server address. Write http://HOST:PORT or https://HOST:PORT.";
    return cause == null ? new ImkerException(message) : new ImkerException(message, cause);
  }

  private static @Nullable String firstGiven(@Nullable String a, @Nullable String b) {
    if (a != null && !a.isBlank()) {
      return a;
    }
    return b != null && !b.isBlank() ? b : null;
  }
}
