package dev.imker.server.internal.drop.place;

import java.io.IOException;
import java.io.InputStream;

/** The destination of the results of a file. Closing without finishing leaves nothing behind. */
public interface ResultTarget extends AutoCloseable {
  /**
   * @param path with slashes between folders
   */
  void put(String path, InputStream content, boolean executable) throws IOException;

  /** Shows all of it, in place of earlier results; without any file, nothing happens. */
  void finish() throws IOException;

  @Override
  void close() throws IOException;
}
