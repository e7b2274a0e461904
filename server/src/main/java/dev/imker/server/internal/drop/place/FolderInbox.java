package dev.imker.server.internal.drop.place;

import dev.imker.server.internal.drop.place.DropPlace.Waiting;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A folder in which job files wait, and the folders right below it. */
record FolderInbox(Path inbox) {
  DropPlace.Inbox look() throws IOException {
    List<Waiting> waiting = new ArrayList<>();
    Map<String, String> unusable = new TreeMap<>();
    for (Path entry : FolderTree.entries(inbox)) {
      look(entry, waiting, unusable);
      try {
        for (Path file : FolderTree.entries(entry)) {
          look(file, waiting, unusable);
        }
      } catch (IOException e) {
        unusable.put(
            FolderPlace.slashed(inbox.relativize(entry)),
            "This folder cannot be read: " + words(e));
      }
    }
    return new DropPlace.Inbox(waiting, unusable);
  }

  private void look(Path file, List<Waiting> waiting, Map<String, String> unusable) {
    if (!DropNames.isJobFile(file.getFileName().toString())
        || Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    String path = FolderPlace.slashed(inbox.relativize(file));
    try {
      Optional<String> stamp = stamp(file);
      if (stamp.isEmpty()) {
        return;
      }
      String why = whyUnusable(file);
      if (why.isEmpty()) {
        why = DropNames.whyUnusable(file.getFileName().toString(), Files.size(file));
      }
      if (why.isEmpty()) {
        waiting.add(new Waiting(path, stamp.get()));
      } else if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        // What another server has claimed meanwhile is no trouble of anybody.
        unusable.put(path, why);
      }
    } catch (NoSuchFileException e) {
      unusable.remove(path); // claimed meanwhile by another server
    } catch (IOException e) {
      unusable.put(path, "This file cannot be read: " + words(e));
    }
  }

  private static String whyUnusable(Path file) {
    if (!isReadableName(file)) {
      return "The name of this file is not UTF-8. Rename it, for example to plain letters.";
    }
    if (Files.isSymbolicLink(file)) {
      return "This is a symbolic link, and links are not followed. Put the file itself here.";
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return "This is not a regular file.";
    }
    if (!Files.isReadable(file)) {
      return "The server may not read this file. Change its permissions.";
    }
    return "";
  }

  private static boolean isReadableName(Path file) {
    try {
      return Path.of(file.toString()).equals(file);
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static String words(IOException e) {
    return e instanceof AccessDeniedException denied
        ? "the server may not access " + denied.getFile()
        : String.valueOf(e.getMessage());
  }

  /** Another one whenever the content is another one; empty if the file is gone. */
  static Optional<String> stamp(Path file) throws IOException {
    try {
      BasicFileAttributes a =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return Optional.of(a.size() + " " + a.lastModifiedTime().toInstant() + " " + a.fileKey());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
