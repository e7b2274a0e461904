package dev.imker.agent.internal.cache;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Deletes the least recently used blobs of a cache until it is a tenth below its limit. */
record Eviction(Path blobs, long limitBytes) {
  private record Entry(Path file, long size, long usedMillis) {}

  /** Makes room if the limit is exceeded, sparing one file whatever its age. */
  void makeRoom(Path spared) throws IOException {
    List<Entry> entries = entries();
    long sum = entries.stream().mapToLong(Entry::size).sum();
    if (sum <= limitBytes) {
      return;
    }
    entries.sort(Comparator.comparingLong(Entry::usedMillis));
    for (Entry entry : entries) {
      if (sum <= limitBytes - limitBytes / 10) {
        return;
      }
      if (!entry.file.equals(spared)) {
        Files.deleteIfExists(entry.file);
        sum -= entry.size;
      }
    }
  }

  private List<Entry> entries() throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (DirectoryStream<Path> shards = Files.newDirectoryStream(blobs)) {
      for (Path shard : shards) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(shard)) {
          for (Path file : files) {
            add(file, entries);
          }
        }
      }
    }
    return entries;
  }

  private static void add(Path file, List<Entry> entries) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      entries.add(new Entry(file, attributes.size(), attributes.lastAccessTime().toMillis()));
    } catch (NoSuchFileException e) {
      // Another agent found it changed and removed it, so it takes no space.
      return;
    }
  }
}
