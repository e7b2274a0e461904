package dev.imker.agent.internal.cache;

import dev.imker.model.BlobId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A source of blobs that can break in the middle, or hand out something else. */
final class MemoryBlobs implements BlobSource {
  private final Map<BlobId, byte[]> blobs = new ConcurrentHashMap<>();
  private final List<Long> offsets = Collections.synchronizedList(new ArrayList<>());
  private volatile int breakAfterBytes = -1;

  BlobId put(byte[] content) {
    var digest = Sha256.digest();
    digest.update(content);
    BlobId id = Sha256.idOf(digest);
    blobs.put(id, content);
    return id;
  }

  void replace(BlobId id, byte[] content) {
    blobs.put(id, content);
  }

  /** The next stream fails after this many bytes. */
  void breakOnceAfter(int bytes) {
    breakAfterBytes = bytes;
  }

  /** Offsets that were asked for, in order. */
  List<Long> offsets() {
    return List.copyOf(offsets);
  }

  @Override
  public Content open(BlobId blob, long offset) {
    offsets.add(offset);
    byte[] content = blobs.get(blob);
    if (content == null) {
      throw BlobException.forGood("no blob " + blob);
    }
    byte[] rest = Arrays.copyOfRange(content, (int) offset, content.length);
    if (breakAfterBytes >= 0) {
      InputStream some = new ByteArrayInputStream(rest, 0, breakAfterBytes);
      breakAfterBytes = -1;
      return new Content(new SequenceInputStream(some, new Broken()), offset);
    }
    return new Content(new ByteArrayInputStream(rest), offset);
  }

  private static final class Broken extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("connection lost");
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      return read();
    }
  }
}
