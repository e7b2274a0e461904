package dev.imker.server.internal.drop.mail;

import dev.imker.server.internal.drop.place.ResultTarget;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Gathers results on this machine as one archive, which the answer brings. One that would be larger
 * than an answer may be is given up early; then an empty file is there instead.
 */
final class MailResults implements ResultTarget {
  private final Path target;
  private final Path half;
  private final Limited file;
  private final ZipOutputStream zip;
  private boolean any;
  private boolean tooLarge;

  /**
   * @param target where the archive is when all is in it
   */
  MailResults(Path target, long maxBytes) throws IOException {
    this.target = target;
    this.half = target.resolveSibling(target.getFileName() + ".half");
    this.file = new Limited(Files.newOutputStream(half), maxBytes);
    this.zip = new ZipOutputStream(file);
  }

  /** The archive has no room for more. */
  private static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1;
  }

  @Override
  public void put(String path, InputStream content, boolean executable) throws IOException {
    any = true;
    if (tooLarge) {
      return;
    }
    try {
      zip.putNextEntry(new ZipEntry(path));
      content.transferTo(zip);
      zip.closeEntry();
    } catch (TooLarge e) {
      tooLarge = true;
    }
  }

  @Override
  public void finish() throws IOException {
    if (!any) {
      return;
    }
    try {
      zip.close();
    } catch (TooLarge e) {
      tooLarge = true;
    }
    if (tooLarge) {
      Files.write(half, new byte[0]);
    }
    Files.move(half, target, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() throws IOException {
    file.close();
    Files.deleteIfExists(half);
  }

  /** Takes so much and no more. */
  private static final class Limited extends FilterOutputStream {
    private long left;

    Limited(OutputStream out, long maxBytes) {
      super(out);
      this.left = maxBytes;
    }

    @Override
    public void write(int one) throws IOException {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      left -= length;
      if (left < 0) {
        throw new TooLarge();
      }
      out.write(bytes, offset, length);
    }
  }
}
