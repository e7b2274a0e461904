package dev.imker.tasks.values;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads the items of CBOR; whatever the bytes are, it ends in a value or a {@link ValueException}.
 */
final class CborIn {
  private final ByteBuffer in;

  CborIn(byte[] bytes) {
    this.in = ByteBuffer.wrap(bytes);
  }

  int octet() {
    require(1);
    return in.get() & 0xff;
  }

  /** The number that belongs to an initial octet. */
  long argument(int initial) {
    int low = initial & 0x1f;
    return switch (low) {
      case 24 -> octet();
      case 25 -> {
        require(2);
        yield in.getShort() & 0xffff;
      }
      case 26 -> {
        require(4);
        yield in.getInt() & 0xffff_ffffL;
      }
      case 27 -> {
        require(8);
        yield in.getLong();
      }
      default -> {
        if (low > 27) {
          throw new ValueException("not a value: items of indefinite length are not supported");
        }
        yield low;
      }
    };
  }

  /** A length that the rest of the bytes can hold, at one octet each at least. */
  int length(int initial) {
    long length = argument(initial);
    if (length < 0 || length > in.remaining()) {
      throw new ValueException("not a value: cut off");
    }
    return (int) length;
  }

  byte[] bytes(int initial) {
    byte[] bytes = new byte[length(initial)];
    in.get(bytes);
    return bytes;
  }

  String text(int initial) {
    ByteBuffer utf8 = ByteBuffer.wrap(bytes(initial));
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
    } catch (CharacterCodingException e) {
      throw new ValueException("not a value: a text that is not UTF-8", e);
    }
  }

  double float64() {
    require(8);
    return in.getDouble();
  }

  float float32() {
    require(4);
    return in.getFloat();
  }

  void requireEnd() {
    if (in.hasRemaining()) {
      throw new ValueException("not a value: something follows it");
    }
  }

  private void require(int octets) {
    if (in.remaining() < octets) {
      throw new ValueException("not a value: cut off");
    }
  }
}
