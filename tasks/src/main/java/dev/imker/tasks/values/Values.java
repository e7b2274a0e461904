package dev.imker.tasks.values;

import org.jspecify.annotations.Nullable;

/**
 * Values as bytes: CBOR (RFC 8949), so that other languages can read them too. What may travel:
 * null, booleans, numbers, texts, enums, records, arrays, lists, sets, maps, optionals, times,
 * {@code UUID}, {@code URI}, {@code Path}, and serialisable lambdas. Records are made by their
 * canonical constructor; no other class of an application is ever made from bytes.
 */
public final class Values {
  private Values() {}

  /**
   * @param what how the value is called in messages
   * @throws ValueException naming the part that cannot travel
   */
  public static byte[] encode(@Nullable Object value, String what) {
    CborOut out = new CborOut();
    new ValueWriter(out).write(value, Object.class, what);
    return out.toByteArray();
  }

  /**
   * @param classes where the records, enums and lambdas come from
   * @throws ValueException if the bytes are no value, or a class is missing
   */
  public static @Nullable Object decode(byte[] bytes, ClassLoader classes) {
    CborIn in = new CborIn(bytes);
    Object value = new ValueReader(in, classes).read();
    in.requireEnd();
    return value;
  }
}
