package dev.imker.wire.frame;

/**
 * Iterates over the messages of one frame without allocation; every length is checked against the
 * frame before it is used.
 */
public final class FrameReader {

  private final byte[] frame;
  private final int maxMessageBytes;
  private int start;
  private int end;
  private int cursor;
  private int type;
  private int subtype;
  private long correlation;
  private int payloadOffset;

  public FrameReader(byte[] frame, int maxMessageBytes) {
    this.frame = frame;
    this.maxMessageBytes = maxMessageBytes;
  }

  /** Moves to the next message; false at the end of the frame. */
  public boolean next() throws MalformedFrameException {
    if (end == frame.length) {
      return false;
    }
    start = end;
    cursor = start;
    long length = readVarint(frame.length);
    if (length < 3 || length > frame.length - cursor) {
      throw new MalformedFrameException(
          "message of " + Long.toUnsignedString(length) + " bytes does not fit its frame");
    }
    end = cursor + (int) length;
    if (end - start > maxMessageBytes) {
      throw new MalformedFrameException(
          "message of " + (end - start) + " bytes, allowed are " + maxMessageBytes);
    }
    type = frame[cursor++] & 0xFF;
    subtype = frame[cursor++] & 0xFF;
    correlation = readVarint(end);
    payloadOffset = cursor;
    return true;
  }

  private long readVarint(int limit) throws MalformedFrameException {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (cursor == limit) {
        throw new MalformedFrameException("number cut off in a message header");
      }
      byte b = frame[cursor++];
      value |= (long) (b & 0x7F) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new MalformedFrameException("number too long in a message header");
  }

  public int type() {
    return type;
  }

  public int subtype() {
    return subtype;
  }

  public long correlation() {
    return correlation;
  }

  int payloadBytes() {
    return end - payloadOffset;
  }

  /** Size of the current message, header included. */
  public int messageBytes() {
    return end - start;
  }

  public <T> T payload(Codec<T> codec) throws MalformedFrameException {
    return codec.read(frame, payloadOffset, payloadBytes());
  }
}
