package dev.imker.agent.internal.cache;

import dev.imker.model.BlobId;
import java.io.IOException;
import java.io.InputStream;

/** A source of blobs. */
public interface BlobSource {
  /** Content of a blob; {@code offset} is its actual start: as requested, or 0. */
  record Content(InputStream stream, long offset) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      stream.close();
    }
  }

  /**
   * @throws BlobException when there is no such blob or the source refuses
   * @throws IOException when the connection failed and another attempt may help
   */
  Content open(BlobId blob, long offset) throws IOException, InterruptedException;
}
