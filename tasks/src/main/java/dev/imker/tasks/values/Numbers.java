package dev.imker.tasks.values;

/** Numbers as their declared place wants them. */
final class Numbers {
  private Numbers() {}

  static Object fit(Number number, Class<?> declared) {
    if (declared == long.class || declared == Long.class) {
      return number.longValue();
    } else if (declared == short.class || declared == Short.class) {
      return number.shortValue();
    } else if (declared == byte.class || declared == Byte.class) {
      return number.byteValue();
    } else if (declared == char.class || declared == Character.class) {
      return (char) number.intValue();
    }
    return number;
  }
}
