package dev.imker.agent.internal.work;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Bytes in the files below a folder; what comes and goes meanwhile is counted or not. */
public final class FolderSize extends SimpleFileVisitor<Path> {
  /** At least this comes out where something cannot be looked into: no limit is kept by hiding. */
  public static final long HIDDEN = 1L << 60;

  private long bytes;

  private FolderSize() {}

  public static long of(Path folder) {
    FolderSize size = new FolderSize();
    try {
      Files.walkFileTree(folder, size);
    } catch (IOException e) {
      return size.bytes; // gone, with all that was in it
    }
    return size.bytes;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    bytes += attributes.size();
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException failure) {
    if (!(failure instanceof NoSuchFileException)) {
      bytes = HIDDEN; // unreadable, or deeper than any path
    }
    return FileVisitResult.CONTINUE;
  }
}
