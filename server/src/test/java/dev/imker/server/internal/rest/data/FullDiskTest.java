package dev.imker.server.internal.rest.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.BlobId;
import dev.imker.server.http.ApiException;
import dev.imker.store.blobs.BlobUpload;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A server whose disk is full says so; an agent tries again later and blames no task. */
class FullDiskTest {
  @Test
  void what_cannot_be_kept_is_not_the_callers_fault() {
    assertThatThrownBy(() -> BlobRoutes.keep(new FullDisk(), new byte[1], 1))
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.status()).isEqualTo(507))
        .hasMessageContaining("No space left on device")
        .hasMessageContaining("Make room");
  }

  private static final class FullDisk extends BlobUpload {
    FullDisk() {
      super(null);
    }

    @Override
    protected void put(byte[] bytes, int from, int length) throws IOException {
      throw new IOException("No space left on device");
    }

    @Override
    protected void keep(BlobId actual, long size) {
      throw new UnsupportedOperationException();
    }
  }
}
