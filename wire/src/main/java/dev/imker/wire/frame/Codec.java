package dev.imker.wire.frame;

/**
 * Turns messages of one class into bytes and back. Implementations are stateless and may be called
 * by many threads at once.
 */
public interface Codec<T> {

  /** The number of bytes that {@link #write} will produce for this message. */
  int sizeBytes(T message);

  /** Writes exactly {@code length} bytes, as returned by {@link #sizeBytes}. */
  void write(T message, byte[] into, int offset, int length);

  /**
   * Reads a message from exactly this range. The array belongs to the caller: do not keep a
   * reference.
   *
   * @throws MalformedFrameException if the bytes are not such a message
   */
  T read(byte[] from, int offset, int length) throws MalformedFrameException;
}
