package dev.imker.server.join;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes a tar file (POSIX ustar) of plain files, all of root's and of the year 2026. */
final class TarWriter {
  private static final int BLOCK = 512;
  private static final int NAME_LENGTH = 100;
  private static final int PREFIX_LENGTH = 155;
  private static final int PREFIX_AT = 345;
  private static final long TIME_SECONDS = 1_767_225_600L;

  private final OutputStream out;

  TarWriter(OutputStream out) {
    this.out = out;
  }

  /** What a file of that length takes. */
  static long size(long length) {
    return BLOCK + (length + BLOCK - 1) / BLOCK * BLOCK;
  }

  /** What {@link #end} takes. */
  static long endSize() {
    return 2L * BLOCK;
  }

  void put(String name, boolean executable, long length, InputStream content) throws IOException {
    out.write(header(name, executable, length));
    long written = content.transferTo(out);
    if (written != length) {
      throw new IOException(name + " changed while it was being read");
    }
    out.write(new byte[(int) (size(length) - BLOCK - length)]);
  }

  void end() throws IOException {
    out.write(new byte[2 * BLOCK]);
  }

  private static byte[] header(String name, boolean executable, long length) {
    byte[] header = new byte[BLOCK];
    int cut =
        name.length() <= NAME_LENGTH ? -1 : name.indexOf('/', name.length() - NAME_LENGTH - 1);
    if (name.length() > NAME_LENGTH && (cut < 0 || cut > PREFIX_LENGTH)) {
      throw new IllegalArgumentException("too long for a tar file: " + name);
    }
    put(header, 0, name.substring(cut + 1));
    put(header, 100, executable ? "0000755" : "0000644");
    put(header, 108, "0000000");
    put(header, 116, "0000000");
    put(header, 124, "%011o".formatted(length));
    put(header, 136, "%011o".formatted(TIME_SECONDS));
    Arrays.fill(header, 148, 156, (byte) ' ');
    header[156] = '0';
    put(header, 257, "ustar");
    put(header, 263, "00");
    put(header, PREFIX_AT, cut < 0 ? "" : name.substring(0, cut));
    int sum = 0;
    for (byte b : header) {
      sum += b & 0xff;
    }
    put(header, 148, "%06o".formatted(sum));
    header[154] = 0;
    return header;
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }
}
