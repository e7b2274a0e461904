package dev.imker.server.internal.drop.mail;

import dev.imker.server.internal.drop.place.FolderTree;
import dev.imker.server.internal.drop.place.ResultTarget;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Gathers results on this machine as one archive, which the answer brings. */
final class MailResults implements ResultTarget {
  private final Path folder;
  private final Path target;
  private final Path half;
  private final ZipOutputStream zip;
  private boolean any;

  /**
   * @param target where the archive is when all is in it
   */
  MailResults(Path target) throws IOException {
    this.folder = Files.createTempDirectory("imker-mail");
    this.target = target;
    this.half = folder.resolve("half.zip");
    OutputStream out = Files.newOutputStream(half);
    this.zip = new ZipOutputStream(out);
  }

  @Override
  public void put(String path, InputStream content, boolean executable) throws IOException {
    zip.putNextEntry(new ZipEntry(path));
    content.transferTo(zip);
    zip.closeEntry();
    any = true;
  }

  @Override
  public void finish() throws IOException {
    if (any) {
      zip.close();
      Files.move(half, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  @Override
  public void close() throws IOException {
    if (any) {
      zip.close();
    }
    FolderTree.delete(folder);
  }
}
