package dev.imker.cli.data;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.ApiException;
import dev.imker.client.context.FileTrouble;
import dev.imker.client.context.ImkerHome;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.job.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Files that travel with a job. A path below the current folder keeps its relative form in the work
 * folder; any other goes there under its last name. {@code NAME=FILE} chooses the name; a folder
 * brings all that is in it, and the current folder ({@code .}) its content.
 */
public final class InputFiles {
  private static final int BUFFER = 1 << 16;

  private final Map<String, Path> files = new LinkedHashMap<>();
  private final Map<String, String> params = new HashMap<>();

  public void add(String argument) {
    int equals = argument.indexOf('=');
    Path plain = Path.of(argument);
    if (equals > 0 && !Files.exists(plain)) {
      addTree(argument.substring(0, equals), Path.of(argument.substring(equals + 1)));
    } else {
      addTree(nameInWorkFolder(plain), plain);
    }
  }

  /** A file that only the task gets whose value of a parameter is the name. */
  public void addFor(String param, String name, Path file) {
    put(name, file);
    params.put(name, param);
  }

  /** What tasks find in their work folder. */
  public Set<String> names() {
    return files.keySet();
  }

  /** Sends what the server does not have yet; returns the inputs of the job. */
  public List<InputFile> send(ApiClient api) {
    List<InputFile> inputs = new ArrayList<>();
    Map<String, Path> byHash = new LinkedHashMap<>();
    for (Map.Entry<String, Path> entry : files.entrySet()) {
      Path file = entry.getValue();
      InputFile input = describe(entry.getKey(), file);
      String param = params.getOrDefault(entry.getKey(), "");
      inputs.add(
          new InputFile(
              input.path(), input.blob(), input.size(), input.executable(), input.os(), param));
      byHash.put(input.blob().sha256(), file);
    }
    sendMissing(api, byHash);
    return inputs;
  }

  /** Sends those contents that the server does not have. */
  public static void sendMissing(ApiClient api, Map<String, Path> byHash) {
    if (byHash.isEmpty()) {
      return;
    }
    JsonNode answer =
        api.post("/api/v1/blobs/missing", Map.of("blobs", List.copyOf(byHash.keySet())));
    for (JsonNode missing : answer.path("missing")) {
      Path file = byHash.get(missing.asText());
      if (file != null) {
        put(api, new BlobId(missing.asText()), file);
      }
    }
  }

  private static void put(ApiClient api, BlobId blob, Path file) {
    try {
      api.putBlob(blob, file);
    } catch (ApiException e) {
      if (describe("", file).blob().equals(blob)) {
        throw e;
      }
      throw new ImkerException(
          file + " changed while it was being uploaded; nothing was submitted. Try again.", e);
    }
  }

  /** Empty for the current folder, whose content comes without it. */
  public static String nameInWorkFolder(Path path) {
    Path normal = path.normalize();
    if (!normal.isAbsolute() && !normal.startsWith("..")) {
      return normal.toString().replace('\\', '/');
    }
    Path name = path.toAbsolutePath().normalize().getFileName();
    if (name == null) {
      throw new ImkerException("--in " + path + ": the root folder cannot be uploaded.");
    }
    return name.toString();
  }

  private void addTree(String name, Path path) {
    if (!Files.exists(path)) {
      throw new ImkerException("--in " + path + ": there is no such file.");
    }
    if (!Files.isDirectory(path)) {
      put(name, path);
      return;
    }
    Path pool = ImkerHome.of(System.getenv()).folder();
    try (Stream<Path> tree = Files.walk(path)) {
      // Secrets of the pool, and files that it writes all the time, are no input of a task.
      tree.filter(file -> !file.toAbsolutePath().normalize().startsWith(pool))
          .filter(Files::isRegularFile)
          .sorted()
          .forEach(
              file ->
                  put(
                      (name.isEmpty() ? "" : name + "/")
                          + path.normalize()
                              .relativize(file.normalize())
                              .toString()
                              .replace('\\', '/'),
                      file));
    } catch (IOException e) {
      throw new ImkerException(
          "--in " + path + ": cannot be read: " + FileTrouble.inWords(e) + ".", e);
    }
  }

  private void put(String name, Path file) {
    Path before = files.putIfAbsent(name, file);
    if (before != null && !before.equals(file)) {
      throw new ImkerException(
          "--in: both "
              + before
              + " and "
              + file
              + " would be '"
              + name
              + "' in the work folder."
              + " Name one of them differently with --in NAME=FILE.");
    }
  }

  /** A file as an input, with the hash of its content. */
  public static InputFile describe(String name, Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[BUFFER];
      long size = 0;
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
        size += n;
      }
      BlobId blob = new BlobId(HexFormat.of().formatHex(digest.digest()));
      return new InputFile(name, blob, size, Files.isExecutable(file));
    } catch (IOException e) {
      throw new ImkerException(file + " cannot be read: " + FileTrouble.inWords(e) + ".", e);
    } catch (NoSuchAlgorithmException e) {
      throw new ImkerException("This Java has no SHA-256.", e);
    }
  }
}
