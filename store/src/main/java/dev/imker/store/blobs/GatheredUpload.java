package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Gathers a blob in memory while it is small; a larger one continues as a normal upload. */
final class GatheredUpload extends BlobUpload {
  /** Up to here a blob shares a database with others; a file would be mostly overhead. */
  static final int MAX_BYTES = 16 << 10;

  /** Makes content with this hash durable. */
  interface Keeper {
    void keep(BlobId blob, byte[] content);
  }

  private final Keeper keeper;
  private final Supplier<BlobUpload> large;
  private final ByteArrayOutputStream gathered = new ByteArrayOutputStream(256);
  private @Nullable BlobUpload going;

  GatheredUpload(@Nullable BlobId expected, Keeper keeper, Supplier<BlobUpload> large) {
    super(expected);
    this.keeper = keeper;
    this.large = large;
  }

  @Override
  protected void put(byte[] bytes, int from, int length) throws IOException {
    if (going == null && gathered.size() + length > MAX_BYTES) {
      going = large.get();
      going.put(gathered.toByteArray(), 0, gathered.size());
      gathered.reset();
    }
    if (going == null) {
      gathered.write(bytes, from, length);
    } else {
      going.put(bytes, from, length);
    }
  }

  @Override
  protected void keep(BlobId actual, long size) throws IOException {
    if (going == null) {
      keeper.keep(actual, gathered.toByteArray());
    } else {
      going.keep(actual, size);
    }
  }

  @Override
  public void close() throws IOException {
    if (going != null) {
      going.close();
    }
  }
}
