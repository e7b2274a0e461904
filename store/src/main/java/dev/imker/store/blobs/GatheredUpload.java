package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Gathers a blob in memory as long as it is small; a larger one goes on as a usual upload. */
final class GatheredUpload extends BlobUpload {
  /** Up to here a blob shares a database with others; a file would be mostly overhead. */
  static final int MAX_BYTES = 16 << 10;

  /** Makes content durable that has this hash. */
  interface Keeper {
    void keep(BlobId blob, byte[] content);
  }

  private final @Nullable BlobId expected;
  private final Keeper keeper;
  private final Supplier<BlobUpload> large;
  private final ByteArrayOutputStream gathered = new ByteArrayOutputStream(256);
  private @Nullable BlobUpload going;

  GatheredUpload(@Nullable BlobId expected, Keeper keeper, Supplier<BlobUpload> large) {
    this.expected = expected;
    this.keeper = keeper;
    this.large = large;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    if (going == null && gathered.size() + length > MAX_BYTES) {
      going = large.get();
      gathered.writeTo(going);
      gathered.reset();
    }
    (going == null ? gathered : going).write(bytes, from, length);
  }

  @Override
  public long size() {
    return going == null ? gathered.size() : going.size();
  }

  @Override
  public BlobId finish() {
    if (going != null) {
      return going.finish();
    }
    byte[] content = gathered.toByteArray();
    MessageDigest digest = FileUpload.sha256();
    BlobId actual = new BlobId(HexFormat.of().formatHex(digest.digest(content)));
    if (expected != null && !expected.equals(actual)) {
      throw new BlobMismatchException(expected, actual, content.length);
    }
    keeper.keep(actual, content);
    return actual;
  }

  @Override
  public void close() throws IOException {
    if (going != null) {
      going.close();
    }
  }
}
