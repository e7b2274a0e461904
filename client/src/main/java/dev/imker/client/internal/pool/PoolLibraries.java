package dev.imker.client.internal.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.client.internal.shipping.Shipping;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Task libraries that were uploaded to the pool. */
public record PoolLibraries(JobSession session) {
  /** The jar of a library in a temporary file. */
  public Path fetch(String name) throws InterruptedException {
    JsonNode library = find(name);
    if (library == null) {
      throw new ImkerException(
          "The pool has no task library "
              + name
              + "; upload it with: imker libraries upload FILE.jar");
    }
    String sha256 = library.path("sha256").asText();
    byte[] jar = session.rest().bytes("/api/v1/blobs/" + sha256);
    if (!Shipping.hash(jar).sha256().equals(sha256)) {
      throw new ImkerException("The server did not send the task library " + name + ".");
    }
    try {
      Path file = Files.createTempFile("imker-library", ".jar");
      file.toFile().deleteOnExit();
      return Files.write(file, jar);
    } catch (IOException e) {
      throw new ImkerException("The task library cannot be stored here: " + e.getMessage(), e);
    }
  }

  /** The newest that fits; own ones and, for an admin, those of others. */
  private @Nullable JsonNode find(String name) throws InterruptedException {
    int colon = name.indexOf(':');
    String plain = colon < 0 ? name : name.substring(0, colon);
    String version = colon < 0 ? "" : name.substring(colon + 1);
    JsonNode found = null;
    JsonNode all = session.rest().get("/api/v1/libraries");
    for (JsonNode one : all.path("libraries")) {
      boolean fits = version.isEmpty() || version.equals(one.path("version").asText());
      if (fits && plain.equals(one.path("name").asText())) {
        found = one;
      }
    }
    return found;
  }
}
