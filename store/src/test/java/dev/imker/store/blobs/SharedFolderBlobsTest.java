package dev.imker.store.blobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.BlobId;
import dev.imker.store.PostgresDatabases;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder that servers share: small blobs are in the database that they share as well. */
class SharedFolderBlobsTest extends BlobStoreContract {
  @TempDir Path folder;
  private final String database = PostgresDatabases.fresh();
  private BlobStore blobs;

  @BeforeEach
  void open() {
    blobs = TieredBlobs.openShared(folder, database);
  }

  @AfterEach
  void close() {
    blobs.close();
  }

  @Override
  BlobStore blobs() {
    return blobs;
  }

  @Test
  void every_server_sees_what_another_stored() throws IOException {
    BlobId small = store(bytes(10));
    BlobId large = store(bytes(GatheredUpload.MAX_BYTES + 1));
    try (BlobStore other = TieredBlobs.openShared(folder, database)) {
      assertThat(other.has(small)).isTrue();
      assertThat(other.has(large)).isTrue();
      assertThat(other.delete(small)).isTrue();
    }
    assertThat(blobs.has(small)).isFalse();
  }
}
