package dev.imker.agent.internal.platform;

import dev.imker.agent.internal.cache.BlobClient;
import dev.imker.agent.internal.cache.BlobSource;
import dev.imker.model.BandwidthNoise;
import dev.imker.model.BlobId;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Measures how fast this machine gets files from the server: two of 500 KB, of noise that no
 * compression on the way can shorten. The content is always the same, so the server keeps one copy
 * for all agents.
 */
public final class BandwidthProbe {
  private static final int FILES = 2;

  private BandwidthProbe() {}

  /** Measures; {@code scratch} is where the file lies while it is being sent. */
  public static Bandwidth measure(BlobClient server, Path scratch)
      throws IOException, InterruptedException {
    Path file = Files.write(scratch, BandwidthNoise.bytes());
    BlobId blob = BandwidthNoise.BLOB;
    try {
      server.upload(blob, file);
    } finally {
      Files.deleteIfExists(file);
    }
    long start = System.nanoTime();
    for (int i = 0; i < FILES; i++) {
      drain(server, blob);
    }
    return new Bandwidth((long) FILES * BandwidthNoise.BYTES, System.nanoTime() - start);
  }

  private static void drain(BlobClient server, BlobId blob)
      throws IOException, InterruptedException {
    try (BlobSource.Content content = server.open(blob, 0)) {
      if (content.stream().transferTo(OutputStream.nullOutputStream()) != BandwidthNoise.BYTES) {
        throw new IOException("the connection was lost during the bandwidth measurement");
      }
    }
  }
}
