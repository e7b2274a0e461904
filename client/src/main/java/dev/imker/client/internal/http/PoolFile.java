package dev.imker.client.internal.http;

import dev.imker.model.ImkerException;
import dev.imker.tasks.TaskFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The content of a file in the pool as a stream. A broken connection is resumed at the same
 * position, from the then current leader.
 */
public final class PoolFile extends InputStream {
  /** The maximum number of consecutive interruptions without progress. */
  private static final int MAX_VAIN = 5;

  private final RestClient rest;
  private final String address;
  private InputStream in;
  private long read;
  private int vain;

  /**
   * @throws ImkerException if it does not exist
   */
  public PoolFile(RestClient rest, TaskFile file) throws InterruptedException {
    this.rest = rest;
    this.address = "/api/v1/tasks/" + file.task() + "/results/" + encoded(file.path());
    this.in = rest.stream(address, 0);
  }

  private static String encoded(String path) {
    return Arrays.stream(path.split("/", -1))
        .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"))
        .collect(Collectors.joining("/"));
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    while (true) {
      try {
        int count = in.read(into, offset, length);
        read += Math.max(0, count);
        vain = count > 0 ? 0 : vain;
        return count;
      } catch (IOException e) {
        in.close();
        if (++vain > MAX_VAIN) {
          throw e;
        }
        reopen();
      }
    }
  }

  private void reopen() throws IOException {
    try {
      in = rest.stream(address, read);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a file was fetched");
    } catch (ImkerException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
