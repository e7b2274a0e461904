package dev.imker.server.drop;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Gathers results aside, then puts them into their place as a whole. */
final class FolderResults implements ResultTarget {
  private final Path fresh;
  private final Path old;
  private final Path target;
  private boolean any;

  FolderResults(Path aside, Path target) throws IOException {
    this.fresh = aside.resolve("results");
    this.old = aside.resolve("old");
    this.target = target;
    FolderTree.delete(fresh);
    Files.createDirectories(fresh);
  }

  @Override
  public void put(String path, InputStream content, boolean executable) throws IOException {
    Path file = fresh.resolve(path).normalize();
    if (!file.startsWith(fresh) || file.equals(fresh)) {
      throw new IOException("A result lies outside of its folder: " + path);
    }
    Files.createDirectories(file.getParent());
    Files.copy(content, file, StandardCopyOption.REPLACE_EXISTING);
    if (executable) {
      var _ = file.toFile().setExecutable(true);
    }
    any = true;
  }

  @Override
  public void finish() throws IOException {
    if (!any) {
      return;
    }
    FolderTree.delete(old);
    Files.createDirectories(target.getParent());
    if (Files.exists(target)) {
      Files.move(target, old);
    }
    Files.move(fresh, target);
    FolderTree.delete(old);
  }

  @Override
  public void close() throws IOException {
    FolderTree.delete(fresh);
  }
}
