package dev.imker.wire;

import dev.imker.wire.frame.Codec;
import dev.imker.wire.frame.Codecs;
import dev.imker.wire.frame.Frames;

/**
 * A message measured and ready to be written. Large ones are turned into bytes beforehand, so that
 * the lock of the {@link SendBuffer} is never held for long.
 */
public final class Encoded {

  private static final int EAGER_BYTES = 4 << 10;

  private final int type;
  private final int subtype;
  private final long correlation;
  private final int payloadBytes;
  private final int messageBytes;
  private final Codec<Object> codec;
  private final Object message;

  @SuppressWarnings("unchecked") // an entry's codec takes what the entry is of
  private <T> Encoded(int type, int subtype, Codec<T> codec, T message, long correlation) {
    this.type = type;
    this.subtype = subtype;
    this.correlation = correlation;
    this.payloadBytes = codec.sizeBytes(message);
    this.messageBytes = Frames.messageBytes(correlation, payloadBytes);
    if (payloadBytes > EAGER_BYTES) {
      byte[] bytes = new byte[payloadBytes];
      codec.write(message, bytes, 0, payloadBytes);
      this.codec = (Codec<Object>) (Codec<?>) Codecs.bytes();
      this.message = bytes;
    } else {
      this.codec = (Codec<Object>) codec;
      this.message = message;
    }
  }

  static <T> Encoded of(MessageEntry<T> entry, T message, long correlation) {
    return new Encoded(entry.type(), entry.subtype(), entry.codec(), message, correlation);
  }

  public static <T> Encoded of(int type, int subtype, Codec<T> codec, T message, long correlation) {
    return new Encoded(type, subtype, codec, message, correlation);
  }

  public int messageBytes() {
    return messageBytes;
  }

  public void writeTo(byte[] into, int offset) {
    int at = Frames.writeHeader(into, offset, type, subtype, correlation, payloadBytes);
    codec.write(message, into, at, payloadBytes);
  }

  byte[] toFrame() {
    byte[] frame = new byte[messageBytes];
    writeTo(frame, 0);
    return frame;
  }
}
