package dev.imker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Brings results home: one sub-folder per task, named by its number, with the result files and
 * beside them {@code stdout}, {@code stderr} and {@code exit-code}.
 */
final class ResultsFolder {
  private static final int LEAST_DIGITS = 4;

  private final ApiClient api;
  private final Path folder;

  ResultsFolder(ApiClient api, Path folder) {
    this.api = api;
    this.folder = folder.toAbsolutePath().normalize();
  }

  /** The sub-folder of a task: 0001, 0002, ... */
  static String name(int number, int tasks) {
    String digits = Integer.toString(number);
    int width = Math.max(LEAST_DIGITS, Integer.toString(tasks).length());
    return "0".repeat(width - digits.length()) + digits;
  }

  /** Fetches everything a task (as listed with output) left behind. */
  void fetch(JsonNode task, int tasksInJob) {
    Path target = folder.resolve(name(task.path("number").asInt(), tasksInJob));
    String id = task.path("id").asText();
    try {
      Files.createDirectories(target);
      for (String stream : List.of("stdout", "stderr")) {
        writeOutput(task, id, stream, target.resolve(stream));
      }
      if (task.hasNonNull("exitCode")) {
        Files.writeString(target.resolve("exit-code"), task.get("exitCode").asInt() + "\n");
      }
      for (JsonNode file : task.path("results")) {
        fetchFile(id, file, target);
      }
    } catch (IOException e) {
      throw new ImkerException("Cannot write results to " + target + ": " + e.getMessage(), e);
    }
  }

  private void writeOutput(JsonNode task, String id, String stream, Path target)
      throws IOException {
    String inline = stream + "Text";
    if (task.hasNonNull(inline)) {
      Files.writeString(target, task.get(inline).asText());
    } else if (task.path(stream).path("size").asLong() > 0) {
      try (InputStream body = api.open("/api/v1/tasks/" + id + "/" + stream)) {
        Files.copy(body, target, StandardCopyOption.REPLACE_EXISTING);
      }
    } else {
      Files.write(target, new byte[0]);
    }
  }

  private void fetchFile(String id, JsonNode file, Path taskFolder) throws IOException {
    String path = file.path("path").asText();
    Path target = taskFolder.resolve(path).normalize();
    if (!target.startsWith(taskFolder) || target.equals(taskFolder)) {
      throw new ImkerException(
          "Task " + id + " names a result outside of its folder: " + path + ". Not fetched.");
    }
    Files.createDirectories(target.getParent());
    try (InputStream body = api.open("/api/v1/tasks/" + id + "/results/" + encodePath(path))) {
      Files.copy(body, target, StandardCopyOption.REPLACE_EXISTING);
    }
    if (file.path("executable").asBoolean()
        && Files.getFileStore(target).supportsFileAttributeView("posix")) {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(target);
      permissions.add(PosixFilePermission.OWNER_EXECUTE);
      Files.setPosixFilePermissions(target, permissions);
    }
  }

  private static String encodePath(String path) {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/", -1)) {
      parts.add(ApiClient.encode(part));
    }
    return String.join("/", parts);
  }
}
