package dev.imker.store.blobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.BlobId;
import dev.imker.store.PostgresDatabases;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresBlobsTest extends BlobStoreContract {
  private final PostgresBlobs blobs = PostgresBlobs.open(PostgresDatabases.fresh());

  @AfterEach
  void close() {
    blobs.close();
  }

  @Override
  BlobStore blobs() {
    return blobs;
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
