package dev.imker.server.internal.drop.place;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Operations on whole files and folders. */
public final class FolderTree {
  private FolderTree() {}

  /** What is in a folder, sorted; nothing if it is not there. */
  static List<Path> entries(Path folder) throws IOException {
    List<Path> all = new ArrayList<>();
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
        entries.forEach(all::add);
      } catch (NoSuchFileException e) {
        return List.of(); // somebody was faster
      }
    }
    Collections.sort(all);
    return all;
  }

  /** All files below a folder; none if it is not there. Others may remove some meanwhile. */
  public static List<Path> files(Path folder) throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path entry : entries(folder)) {
      if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
        all.add(entry);
      } else {
        all.addAll(files(entry));
      }
    }
    return all;
  }

  /** Everything below a folder that holds nothing itself: files, links, empty folders. */
  static List<Path> leaves(Path folder) throws IOException {
    List<Path> all = new ArrayList<>();
    for (Path entry : entries(folder)) {
      List<Path> below = leaves(entry);
      if (below.isEmpty()) {
        all.add(entry);
      } else {
        all.addAll(below);
      }
    }
    return all;
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
