package dev.imker.model;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SplittableRandom;

/**
 * What agents send and fetch to measure their connection to the server: always the same
 * incompressible bytes, so that the server stores a single copy.
 */
public final class BandwidthNoise {
  public static final int BYTES = 500_000;
  private static final int SEED = 20_250;

  public static final BlobId BLOB = blob();

  private BandwidthNoise() {}

  public static byte[] bytes() {
    byte[] noise = new byte[BYTES];
    new SplittableRandom(SEED).nextBytes(noise);
    return noise;
  }

  private static BlobId blob() {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes());
      return new BlobId(HexFormat.of().formatHex(hash));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
