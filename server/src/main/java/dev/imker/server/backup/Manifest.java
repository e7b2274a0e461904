package dev.imker.server.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The manifest of a backup. It is written last, so a folder without one is not a complete backup.
 *
 * @param madeAt when its database was copied, ISO 8601
 * @param source where the pool was, without secrets
 * @param databaseSha256 of the copied database
 * @param files contents that were copied or found to be there
 */
record Manifest(
    String version, String madeAt, String source, String databaseSha256, long files, long bytes) {
  static final String NAME = "backup.json";
  private static final JsonMapper JSON = JsonMapper.builder().build();

  void write(Path folder) {
    Map<String, Object> all = new TreeMap<>();
    all.put("format", 1);
    all.put("version", version);
    all.put("madeAt", madeAt);
    all.put("source", source);
    all.put("databaseSha256", databaseSha256);
    all.put("files", files);
    all.put("bytes", bytes);
    try {
      Path fresh = folder.resolve(NAME + ".new");
      JSON.writerWithDefaultPrettyPrinter().writeValue(fresh.toFile(), all);
      Files.move(fresh, folder.resolve(NAME), StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new ImkerException("Cannot write " + folder.resolve(NAME) + ": " + e.getMessage(), e);
    }
  }

  static Optional<Manifest> read(Path folder) {
    Path file = folder.resolve(NAME);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      JsonNode all = JSON.readTree(file.toFile());
      return Optional.of(
          new Manifest(
              all.path("version").asText(),
              all.path("madeAt").asText(),
              all.path("source").asText(),
              all.path("databaseSha256").asText(),
              all.path("files").asLong(),
              all.path("bytes").asLong()));
    } catch (IOException e) {
      throw new ImkerException("Cannot read " + file + ": " + e.getMessage(), e);
    }
  }
}
