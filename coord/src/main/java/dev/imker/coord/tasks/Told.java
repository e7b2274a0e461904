package dev.imker.coord.tasks;

import java.nio.ByteBuffer;

/**
 * The last answer to a run on a channel.
 *
 * @param what identifies the request; see {@link #question}
 */
public record Told(long serial, int what, long value, long version, byte[] data) {
  private static final int FIXED_BYTES = 3 * Long.BYTES + Integer.BYTES;

  /** Identifies a request. */
  public static int question(String scope, String kind, String name, String action) {
    return String.join("/", scope, kind, name, action).hashCode();
  }

  public static Told of(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    long serial = buffer.getLong();
    int what = buffer.getInt();
    long value = buffer.getLong();
    long version = buffer.getLong();
    byte[] data = new byte[buffer.remaining()];
    buffer.get(data);
    return new Told(serial, what, value, version, data);
  }

  public byte[] bytes() {
    return ByteBuffer.allocate(FIXED_BYTES + data.length)
        .putLong(serial)
        .putInt(what)
        .putLong(value)
        .putLong(version)
        .put(data)
        .array();
  }

  /**
   * Whether this is the answer to the request.
   *
   * @throws RepeatedException if the request cannot be answered, because a later one has been sent
   *     on its channel, or it has the mark of another request
   */
  public boolean answers(Once once, int question) {
    if (once.serial() > serial) {
      return false;
    }
    if (once.serial() < serial) {
      throw new RepeatedException(
          "A later request (%d) was already made on the channel %s; the answer to %d is no longer known."
              .formatted(serial, once.channel(), once.serial()));
    }
    if (what != question) {
      throw new RepeatedException(
          "%s:%d was a different request; use a new number for each."
              .formatted(once.channel(), once.serial()));
    }
    return true;
  }
}
