package dev.imker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.BlobId;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresBlobsTest {
  private static final BlobId UNKNOWN = new BlobId("0".repeat(64));

  private PostgresBlobs blobs;

  @BeforeEach
  void open() {
    blobs = PostgresBlobs.open(PostgresDatabases.fresh());
  }

  @AfterEach
  void close() {
    blobs.close();
  }

  private BlobId store(byte[] content) throws IOException {
    try (BlobUpload upload = blobs.upload()) {
      upload.write(content);
      return upload.finish();
    }
  }

  private byte[] read(BlobId blob, long offset) throws IOException {
    try (InputStream in = blobs.open(blob, offset)) {
      return in.readAllBytes();
    }
  }

  private static byte[] bytes(int length) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    return content;
  }

  @Test
  void content_comes_back_from_any_offset() throws IOException {
    int chunk = PostgresBlobs.CHUNK_BYTES;
    for (int length : new int[] {0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 2 * chunk + 77}) {
      byte[] content = bytes(length);
      BlobId blob = store(content);
      assertThat(blobs.size(blob)).hasValue(length);
      for (int offset : new int[] {0, 1, chunk - 1, chunk, chunk + 1, length}) {
        if (offset <= length) {
          assertThat(read(blob, offset))
              .as(length + " from " + offset)
              .isEqualTo(java.util.Arrays.copyOfRange(content, offset, length));
        }
      }
      assertThat(read(blob, length + 5L)).isEmpty();
    }
  }

  @Test
  void unknown_blobs_are_missing() {
    assertThat(blobs.has(UNKNOWN)).isFalse();
    assertThat(blobs.size(UNKNOWN)).isEmpty();
    assertThat(blobs.path(UNKNOWN)).isEmpty();
    assertThat(blobs.touch(UNKNOWN, 1)).isFalse();
    assertThat(blobs.delete(UNKNOWN)).isFalse();
    assertThat(blobs.deleteUntouched(UNKNOWN, Long.MAX_VALUE - 1)).isZero();
    assertThatThrownBy(() -> blobs.open(UNKNOWN)).isInstanceOf(BlobMissingException.class);
  }

  @Test
  void wrong_content_is_refused_and_not_kept() throws IOException {
    try (BlobUpload upload = blobs.upload(UNKNOWN)) {
      upload.write(bytes(10));
      assertThatThrownBy(upload::finish).isInstanceOf(BlobMismatchException.class);
    }
    assertThat(blobs.has(UNKNOWN)).isFalse();
  }

  @Test
  void same_content_is_kept_once_and_counts_as_touched() throws IOException {
    BlobId first = store(bytes(100));
    blobs.touch(first, 1);
    assertThat(store(bytes(100))).isEqualTo(first);
    assertThat(blobs.deleteUntouched(first, 1000)).isZero();
    assertThat(read(first, 0)).isEqualTo(bytes(100));
    List<BlobId> all = new ArrayList<>();
    blobs.forEach(all::add);
    assertThat(all).containsExactly(first);
  }

  @Test
  void untouched_blobs_go_with_their_bytes() throws IOException {
    BlobId blob = store(bytes(100));
    blobs.touch(blob, 50);
    assertThat(blobs.deleteUntouched(blob, 50)).isZero();
    assertThat(blobs.deleteUntouched(blob, 51)).isEqualTo(100);
    assertThat(blobs.has(blob)).isFalse();
    assertThat(blobs.delete(store(bytes(100)))).isTrue();
    assertThat(blobs.has(blob)).isFalse();
  }

  @Test
  void uploads_that_never_finished_are_removed_and_others_stay() throws IOException {
    BlobId blob = store(bytes(100));
    BlobUpload unfinished = blobs.upload();
    unfinished.write(bytes(PostgresBlobs.CHUNK_BYTES));
    blobs.removeLeftovers(Long.MAX_VALUE);
    assertThat(read(blob, 0)).hasSize(100);
    assertThat(blobs.chunk(blobs.newBody() - 1, 0)).isNull();
  }
}
