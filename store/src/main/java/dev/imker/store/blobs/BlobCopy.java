package dev.imker.store.blobs;

import dev.imker.model.BlobId;
import dev.imker.store.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Copies the blobs that a target does not have yet, verifying each hash. Several are copied in
 * parallel, because small ones that arrive together share a flush.
 */
public final class BlobCopy {
  private static final int COPY_BYTES = 256 << 10;
  private static final int AT_ONCE = 32;

  private final BlobStore from;
  private final BlobStore to;
  private final ConcurrentLinkedQueue<String> damaged = new ConcurrentLinkedQueue<>();
  private final AtomicLong copied = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  public BlobCopy(BlobStore from, BlobStore to) {
    this.from = from;
    this.to = to;
  }

  /** Copies everything; any problem other than damaged content ends it with an exception. */
  public void run() {
    Semaphore places = new Semaphore(AT_ONCE);
    AtomicReference<RuntimeException> failure = new AtomicReference<>();
    try (ExecutorService copiers = Executors.newVirtualThreadPerTaskExecutor()) {
      from.forEach(
          blob -> {
            places.acquireUninterruptibly();
            if (failure.get() != null) {
              places.release();
              return;
            }
            copiers.execute(
                () -> {
                  try {
                    copy(blob);
                  } catch (RuntimeException e) {
                    failure.compareAndSet(null, e);
                  } finally {
                    places.release();
                  }
                });
          });
    }
    RuntimeException first = failure.get();
    if (first != null) {
      throw first instanceof StoreException ? first : new CompletionException(first);
    }
  }

  private void copy(BlobId blob) {
    long size = from.size(blob).orElse(-1);
    if (size < 0 || to.size(blob).orElse(-1) == size) {
      return; // removed meanwhile, or there already
    }
    byte[] buffer = new byte[(int) Math.min(COPY_BYTES, size + 1)];
    try (InputStream in = from.open(blob);
        BlobUpload upload = to.upload(blob)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        upload.write(buffer, 0, n);
      }
      upload.finish();
      copied.incrementAndGet();
      bytes.addAndGet(size);
    } catch (BlobMissingException e) {
      return; // removed meanwhile
    } catch (BlobMismatchException e) {
      damaged.add("the content of file " + blob + " does not match its hash");
    } catch (IOException e) {
      damaged.add("file " + blob + " cannot be read: " + e.getMessage());
    }
  }

  public long copied() {
    return copied.get();
  }

  public long bytes() {
    return bytes.get();
  }

  public List<String> damaged() {
    return List.copyOf(damaged);
  }
}
