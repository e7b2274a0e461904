package dev.imker.server.drop;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What is done with whole files and folders. */
public final class FolderTree {
  private FolderTree() {}

  static List<Path> entries(Path folder) throws IOException {
    List<Path> all = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        entries.forEach(all::add);
      }
    }
    return all;
  }

  /** All files below a folder; none if it is not there. */
  static List<Path> files(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> tree = Files.walk(folder)) {
      return tree.filter(path -> Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)).toList();
    }
  }

  public static void delete(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  /** Moves in one step, in place of what is there. */
  static void move(Path source, Path target) throws IOException {
    Files.move(source, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Writes a file so that nobody sees half of it. */
  static void replace(Path target, byte[] content) throws IOException {
    Files.createDirectories(target.getParent());
    Path fresh = Files.createTempFile(target.getParent(), ".imker", ".new");
    try {
      Files.write(fresh, content);
      move(fresh, target);
    } finally {
      Files.deleteIfExists(fresh);
    }
  }
}
