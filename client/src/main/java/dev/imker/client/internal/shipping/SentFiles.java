package dev.imker.client.internal.shipping;

import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Files that go along with calls. */
public final class SentFiles {
  private SentFiles() {}

  /**
   * The same with the files of folders in place of these.
   *
   * @param named files and folders, by the paths that they have where calls are made
   * @throws ImkerException if one of them is not there
   */
  public static Map<String, Path> of(Map<String, Path> named) {
    Map<String, Path> files = new TreeMap<>();
    named.forEach(
        (path, source) -> {
          if (Files.isDirectory(source)) {
            addAll(files, path, source);
          } else if (Files.isRegularFile(source)) {
            files.put(path, source);
          } else {
            throw new ImkerException(
                "Cannot send " + source + ": there is no such file or folder.");
          }
        });
    return files;
  }

  private static void addAll(Map<String, Path> files, String path, Path folder) {
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) tree.filter(Files::isRegularFile)::iterator) {
        StringBuilder name = new StringBuilder(path.equals(".") ? "" : path);
        for (Path part : folder.relativize(file)) {
          name.append(name.isEmpty() ? "" : "/").append(part);
        }
        files.put(name.toString(), file);
      }
    } catch (IOException e) {
      throw new ImkerException("The folder " + folder + " cannot be read: " + e.getMessage(), e);
    }
  }
}
