package dev.imker.wire.frame;

/**
 * Layout of a frame: messages back to back, each
 *
 * <pre>
 * varint  length       of all that follows in this message
 * byte    type         0 control, 1 session, 2..255 application
 * byte    subtype
 * varint  correlation  0 one way, 2n request n, 2n+1 response to request n
 * bytes   payload
 * </pre>
 *
 * Varints are those of protobuf: seven bits a byte, lowest first, at most ten bytes.
 */
public final class Frames {

  public static final int CONTROL = 0;
  public static final int SESSION = 1;
  public static final int FIRST_APPLICATION_TYPE = 2;

  public static final long ONE_WAY = 0;

  private Frames() {}

  public static long request(long id) {
    return id << 1;
  }

  public static long responseTo(long request) {
    return request | 1;
  }

  public static boolean isRequest(long correlation) {
    return correlation != ONE_WAY && (correlation & 1) == 0;
  }

  public static boolean isResponse(long correlation) {
    return (correlation & 1) != 0;
  }

  public static long requestId(long correlation) {
    return correlation >>> 1;
  }

  static int varintBytes(long value) {
    return (63 - Long.numberOfLeadingZeros(value | 1)) / 7 + 1;
  }

  /** Size of the whole message, header included. */
  public static int messageBytes(long correlation, int payloadBytes) {
    int body = 2 + varintBytes(correlation) + payloadBytes;
    return varintBytes(body) + body;
  }

  /** Writes the header and returns the offset at which the payload belongs. */
  public static int writeHeader(
      byte[] into, int offset, int type, int subtype, long correlation, int payloadBytes) {
    int at = writeVarint(into, offset, 2L + varintBytes(correlation) + payloadBytes);
    into[at++] = (byte) type;
    into[at++] = (byte) subtype;
    return writeVarint(into, at, correlation);
  }

  private static int writeVarint(byte[] into, int offset, long value) {
    int at = offset;
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      into[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    into[at++] = (byte) rest;
    return at;
  }
}
