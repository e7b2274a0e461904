package dev.imker.agent.internal.cache;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compresses uploads where it is worthwhile. */
final class Compression {
  static final String ZSTD = "zstd";

  private static final Logger LOG = LoggerFactory.getLogger(Compression.class);
  private static final long WORTHWHILE_BYTES = 1 << 20;
  private static final int SAMPLE_BYTES = 64 << 10;
  private static final int PIPE_BYTES = 256 << 10;
  private static final int LEVEL = 3;

  private Compression() {}

  /** Whether a file is long enough, and a sample from its middle shrinks by a tenth. */
  static boolean pays(Path file) throws IOException {
    long size = Files.size(file);
    if (size < WORTHWHILE_BYTES) {
      return false;
    }
    byte[] sample = new byte[SAMPLE_BYTES];
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      in.seek((size - SAMPLE_BYTES) / 2);
      in.readFully(sample);
    }
    return Zstd.compress(sample, 1).length < SAMPLE_BYTES * 9 / 10;
  }

  /** The file's content, compressed as it is read. */
  static InputStream compressed(Path file) {
    try {
      PipedInputStream in = new PipedInputStream(PIPE_BYTES);
      PipedOutputStream out = new PipedOutputStream(in);
      Thread.ofVirtual().name("imker-compress").start(() -> compress(file, out));
      return in;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void compress(Path file, PipedOutputStream out) {
    try (ZstdOutputStream zstd = new ZstdOutputStream(out, LEVEL)) {
      Files.copy(file, zstd);
    } catch (IOException e) {
      // The reader sees a truncated stream, and the server a wrong hash.
      LOG.debug("Could not finish compressing {}", file, e);
    }
  }
}
