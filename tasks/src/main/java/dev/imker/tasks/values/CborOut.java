package dev.imker.tasks.values;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the items of CBOR. */
final class CborOut {
  static final int UNSIGNED = 0;
  static final int NEGATIVE = 1;
  static final int BYTES = 2;
  static final int TEXT = 3;
  static final int ARRAY = 4;
  static final int MAP = 5;
  static final int TAG = 6;
  static final int FALSE = 0xf4;
  static final int TRUE = 0xf5;
  static final int NULL = 0xf6;
  static final int FLOAT = 0xfa;
  static final int DOUBLE = 0xfb;

  private byte[] buffer = new byte[64];
  private int size;

  byte[] toByteArray() {
    return Arrays.copyOf(buffer, size);
  }

  void head(int major, long number) {
    int type = major << 5;
    if (number < 24) {
      single(type | (int) number);
    } else if (number < 1 << 8) {
      single(type | 24);
      number(number, 1);
    } else if (number < 1 << 16) {
      single(type | 25);
      number(number, 2);
    } else if (number < 1L << 32) {
      single(type | 26);
      number(number, 4);
    } else {
      single(type | 27);
      number(number, 8);
    }
  }

  void integer(long value) {
    if (value >= 0) {
      head(UNSIGNED, value);
    } else {
      head(NEGATIVE, ~value);
    }
  }

  void text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    head(TEXT, utf8.length);
    raw(utf8);
  }

  void bytes(byte[] bytes) {
    head(BYTES, bytes.length);
    raw(bytes);
  }

  void float64(double value) {
    single(DOUBLE);
    number(Double.doubleToRawLongBits(value), 8);
  }

  void float32(float value) {
    single(FLOAT);
    number(Float.floatToRawIntBits(value), 4);
  }

  void single(int octet) {
    room(1);
    buffer[size++] = (byte) octet;
  }

  /** The lowest octets of a number, highest first. */
  void number(long value, int octets) {
    room(octets);
    for (int shift = (octets - 1) * 8; shift >= 0; shift -= 8) {
      buffer[size++] = (byte) (value >>> shift);
    }
  }

  private void raw(byte[] bytes) {
    room(bytes.length);
    System.arraycopy(bytes, 0, buffer, size, bytes.length);
    size += bytes.length;
  }

  private void room(int more) {
    if (size + more > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(2 * buffer.length, Math.addExact(size, more)));
    }
  }
}
