package dev.imker.agent.internal.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What tells whether a file was changed or replaced, without reading it. */
record FileVersion(long size, FileTime modified, @Nullable Object key) {
  static FileVersion of(Path file) throws IOException {
    return of(Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
  }

  static FileVersion of(BasicFileAttributes attributes) {
    return new FileVersion(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
  }

  boolean same(FileVersion other) {
    return size == other.size && modified.equals(other.modified) && Objects.equals(key, other.key);
  }
}
