package dev.imker.server.backup;

import dev.imker.model.BlobId;
import dev.imker.store.blobs.BlobMismatchException;
import dev.imker.store.blobs.BlobMissingException;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.BlobUpload;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Copies the files that a target does not have yet, each checked by its hash. */
final class BlobCopy {
  private static final int COPY_BYTES = 256 << 10;

  private final BlobStore from;
  private final BlobStore to;
  private final List<String> damaged = new ArrayList<>();
  private long copied;
  private long bytes;

  BlobCopy(BlobStore from, BlobStore to) {
    this.from = from;
    this.to = to;
  }

  void run() {
    List<BlobId> all = new ArrayList<>();
    from.forEach(all::add);
    all.forEach(this::copy);
  }

  private void copy(BlobId blob) {
    long size = from.size(blob).orElse(-1);
    if (size < 0 || to.size(blob).orElse(-1) == size) {
      return; // removed meanwhile, or there already
    }
    byte[] buffer = new byte[COPY_BYTES];
    try (InputStream in = from.open(blob);
        BlobUpload upload = to.upload(blob)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        upload.write(buffer, 0, n);
      }
      upload.finish();
      copied++;
      bytes += size;
    } catch (BlobMissingException e) {
      return; // removed meanwhile
    } catch (BlobMismatchException e) {
      damaged.add("the content of file " + blob + " does not fit its hash");
    } catch (IOException e) {
      damaged.add("file " + blob + " cannot be read: " + e.getMessage());
    }
  }

  long copied() {
    return copied;
  }

  long bytes() {
    return bytes;
  }

  List<String> damaged() {
    return damaged;
  }
}
