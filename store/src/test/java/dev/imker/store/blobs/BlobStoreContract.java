package dev.imker.store.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.BlobId;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every store of files promises. */
abstract class BlobStoreContract {
  static final BlobId UNKNOWN = new BlobId("0".repeat(64));

  /** Where the content may be cut into pieces. */
  private static final int PIECE = PostgresBlobs.CHUNK_BYTES;

  abstract BlobStore blobs();

  final BlobId store(byte[] content) throws IOException {
    try (BlobUpload upload = blobs().upload()) {
      upload.write(content);
      return upload.finish();
    }
  }

  final byte[] read(BlobId blob, long offset) throws IOException {
    try (InputStream in = blobs().open(blob, offset)) {
      return in.readAllBytes();
    }
  }

  static byte[] bytes(int length) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    return content;
  }

  final List<BlobId> list() {
    List<BlobId> all = new ArrayList<>();
    blobs().forEach(all::add);
    return all;
  }

  @Test
  void content_comes_back_from_any_offset() throws IOException {
    for (int length : new int[] {0, 1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE, 2 * PIECE + 77}) {
      byte[] content = bytes(length);
      BlobId blob = store(content);
      assertThat(blobs().size(blob)).hasValue(length);
      for (int offset : new int[] {0, 1, PIECE - 1, PIECE, PIECE + 1, length}) {
        if (offset <= length) {
          assertThat(read(blob, offset))
              .as(length + " from " + offset)
              .isEqualTo(Arrays.copyOfRange(content, offset, length));
        }
      }
      assertThat(read(blob, length + 5L)).isEmpty();
    }
  }

  @Test
  void content_may_be_written_and_read_in_small_pieces() throws IOException {
    byte[] content = bytes(1000);
    BlobId blob;
    try (BlobUpload upload = blobs().upload()) {
      upload.write(content[0]);
      upload.write(content, 1, 500);
      upload.write(content, 501, 499);
      assertThat(upload.size()).isEqualTo(1000);
      assertThat(list()).isEmpty();
      blob = upload.finish();
    }
    try (InputStream in = blobs().open(blob)) {
      assertThat(in.read()).isEqualTo(content[0] & 0xFF);
      assertThat(in.readNBytes(10)).isEqualTo(Arrays.copyOfRange(content, 1, 11));
    }
  }

  @Test
  void unknown_blobs_are_missing() {
    assertThat(blobs().has(UNKNOWN)).isFalse();
    assertThat(blobs().size(UNKNOWN)).isEmpty();
    assertThat(blobs().path(UNKNOWN)).isEmpty();
    assertThat(blobs().touch(UNKNOWN, 1)).isFalse();
    assertThat(blobs().delete(UNKNOWN)).isFalse();
    assertThat(free(UNKNOWN, Long.MAX_VALUE - 1)).isEqualTo(BlobStore.Freed.NOTHING);
    assertThatThrownBy(() -> blobs().open(UNKNOWN)).isInstanceOf(BlobMissingException.class);
  }

  @Test
  void wrong_content_is_refused_and_not_kept() throws IOException {
    try (BlobUpload upload = blobs().upload(UNKNOWN)) {
      upload.write(bytes(10));
      assertThatThrownBy(upload::finish).isInstanceOf(BlobMismatchException.class);
    }
    assertThat(blobs().has(UNKNOWN)).isFalse();
    assertThat(list()).isEmpty();
  }

  @Test
  void upload_that_is_only_closed_is_no_blob() throws IOException {
    try (BlobUpload upload = blobs().upload()) {
      upload.write(bytes(10));
    }
    assertThat(list()).isEmpty();
  }

  @Test
  void same_content_is_kept_once_and_counts_as_touched() throws IOException {
    BlobId first = store(bytes(100));
    blobs().touch(first, 1);
    assertThat(store(bytes(100))).isEqualTo(first);
    assertThat(free(first, 1000)).isEqualTo(BlobStore.Freed.NOTHING);
    assertThat(read(first, 0)).isEqualTo(bytes(100));
    assertThat(list()).containsExactly(first);
  }

  @Test
  void writers_of_the_same_blob_do_not_disturb_each_other() throws Exception {
    byte[] content = bytes(100_000);
    List<Future<BlobId>> results = new ArrayList<>();
    try (ExecutorService writers = Executors.newFixedThreadPool(4)) {
      Callable<BlobId> writing = () -> store(content);
      for (int i = 0; i < 12; i++) {
        results.add(writers.submit(writing));
      }
    }
    BlobId blob = results.getFirst().get();
    for (Future<BlobId> result : results) {
      assertThat(result.get()).isEqualTo(blob);
    }
    assertThat(read(blob, 0)).isEqualTo(content);
    assertThat(list()).containsExactly(blob);
  }

  @Test
  void untouched_blobs_go_and_a_dry_run_tells_the_same() throws IOException {
    for (int length : new int[] {0, 100, GatheredUpload.MAX_BYTES + 1}) {
      BlobId blob = store(bytes(length));
      blobs().touch(blob, 50_000);
      assertThat(blobs().freeUntouched(List.of(blob), 50_000, true).blobs()).isZero();
      assertThat(free(blob, 50_000).blobs()).isZero();
      BlobStore.Freed expected = new BlobStore.Freed(1, BlobStore.diskBytes(length));
      assertThat(blobs().freeUntouched(List.of(UNKNOWN, blob), 51_000, true)).isEqualTo(expected);
      assertThat(blobs().has(blob)).isTrue();
      assertThat(blobs().freeUntouched(List.of(UNKNOWN, blob), 51_000, false)).isEqualTo(expected);
      assertThat(blobs().has(blob)).isFalse();
      assertThat(blobs().touch(blob, 52_000)).isFalse();
      assertThat(blobs().delete(store(bytes(length)))).isTrue();
      assertThat(list()).isEmpty();
    }
  }

  @Test
  void small_and_large_blobs_are_listed_together() throws IOException {
    BlobId small = store(bytes(GatheredUpload.MAX_BYTES));
    BlobId large = store(bytes(GatheredUpload.MAX_BYTES + 1));
    assertThat(list()).containsExactlyInAnyOrder(small, large);
    assertThat(read(small, 7)).hasSize(GatheredUpload.MAX_BYTES - 7);
    assertThat(read(large, 7)).hasSize(GatheredUpload.MAX_BYTES - 6);
  }

  @Test
  void many_small_blobs_from_many_threads_are_all_kept() throws Exception {
    List<Future<BlobId>> results = new ArrayList<>();
    try (ExecutorService writers = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 400; i++) {
        int length = i % 300;
        results.add(writers.submit(() -> store(bytes(length))));
      }
    }
    for (int i = 0; i < 400; i++) {
      assertThat(read(results.get(i).get(), 0)).isEqualTo(bytes(i % 300));
    }
    assertThat(list()).hasSize(300);
  }

  private BlobStore.Freed free(BlobId blob, long beforeMillis) {
    return blobs().freeUntouched(List.of(blob), beforeMillis, false);
  }
}
