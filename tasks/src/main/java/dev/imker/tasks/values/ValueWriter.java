package dev.imker.tasks.values;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes values. Where the declared type says it all (a component {@code long} of a record), only
 * the content is written; otherwise the type travels along: tag 27 of CBOR, an array of a type name
 * and what the value is made from.
 */
final class ValueWriter {
  static final int OBJECT_TAG = 27;
  static final int SET_TAG = 258;
  static final int LONG_TAG = 39_001;
  static final int SHORTS_TAG = 73;
  static final int INTS_TAG = 74;
  static final int LONGS_TAG = 75;
  static final int FLOATS_TAG = 81;
  static final int DOUBLES_TAG = 82;
  static final String LAMBDA = "lambda";
  static final String CLASS = "class";

  private static final int DEEPEST = 200;

  private final CborOut out;
  private int depth;

  ValueWriter(CborOut out) {
    this.out = out;
  }

  void write(@Nullable Object value, Class<?> declared, String path) {
    if (++depth > DEEPEST) {
      throw new ValueException(
          path.substring(0, 60) + "… is nested too deep, or refers to itself.");
    }
    if (value == null) {
      out.single(CborOut.NULL);
    } else if (!writeSimple(value, declared)) {
      writeCompound(value, declared, path);
    }
    depth--;
  }

  private boolean writeSimple(Object value, Class<?> declared) {
    switch (value) {
      case String text -> out.text(text);
      case Integer number -> out.integer(number);
      case Long number -> {
        if (declared != long.class && declared != Long.class) {
          out.head(CborOut.TAG, LONG_TAG);
        }
        out.integer(number);
      }
      case Double number -> out.float64(number);
      case Boolean truth -> out.single(truth ? CborOut.TRUE : CborOut.FALSE);
      case Float number -> out.float32(number);
      case Short number -> small(declared, short.class, Short.class, number);
      case Byte number -> small(declared, byte.class, Byte.class, number);
      case Character letter -> small(declared, char.class, Character.class, letter);
      case byte[] bytes -> out.bytes(bytes);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void small(Class<?> declared, Class<?> primitive, Class<?> boxed, long content) {
    if (declared == primitive || declared == boxed) {
      out.integer(content);
    } else {
      object(boxed.getName(), 1);
      out.integer(content);
    }
  }

  private void writeCompound(Object value, Class<?> declared, String path) {
    switch (value) {
      case List<?> list -> elements(list, declared, path);
      case Set<?> set -> {
        out.head(CborOut.TAG, SET_TAG);
        elements(set, declared, path);
      }
      case Map<?, ?> map -> entries(map, declared, path);
      case Record record -> record(record, path);
      case Enum<?> constant -> {
        object(constant.getDeclaringClass().getName(), 1);
        out.text(constant.name());
      }
      case Optional<?> optional -> {
        object(Optional.class.getName(), 1);
        write(optional.orElse(null), Object.class, path + ".get()");
      }
      case Class<?> type -> {
        object(CLASS, 1);
        out.text(type.getName());
      }
      default -> writeOther(value, path);
    }
  }

  private void writeOther(Object value, String path) {
    Class<?> plain = PlainTypes.of(value);
    if (plain != null) {
      object(plain.getName(), 1);
      out.text(PlainTypes.text(value));
    } else if (value.getClass().isArray()) {
      array(value, path);
    } else if (Lambda.isLambda(value)) {
      lambda(Lambda.of(value, path), path);
    } else {
      throw refusal(value, path);
    }
  }

  private static ValueException refusal(Object value, String path) {
    Class<?> type = value.getClass();
    String kind =
        type.isAnonymousClass() || (type.isMemberClass() && hasOuter(type))
            ? " is an inner class, which holds a reference to its outer object"
            : " is neither a record nor another type that can be sent";
    return new ValueException(
        "%s cannot be sent: %s%s. Make it a record, or pass only what the task needs."
            .formatted(path, type.getName(), kind));
  }

  private static boolean hasOuter(Class<?> type) {
    return !java.lang.reflect.Modifier.isStatic(type.getModifiers());
  }

  private void object(String type, int arguments) {
    out.head(CborOut.TAG, OBJECT_TAG);
    out.head(CborOut.ARRAY, arguments + 1L);
    out.text(type);
  }

  private void elements(Collection<?> elements, Class<?> declared, String path) {
    Containers.check(declared, elements, path);
    out.head(CborOut.ARRAY, elements.size());
    int i = 0;
    for (Object element : elements) {
      write(element, Object.class, path + "[" + i++ + "]");
    }
  }

  private void entries(Map<?, ?> map, Class<?> declared, String path) {
    Containers.check(declared, map, path);
    out.head(CborOut.MAP, map.size());
    map.forEach(
        (key, element) -> {
          write(key, Object.class, path + ".key");
          write(element, Object.class, path + "[" + key + "]");
        });
  }

  private void record(Record record, String path) {
    RecordShape shape = RecordShape.of(record.getClass());
    object(record.getClass().getName(), shape.size());
    for (int i = 0; i < shape.size(); i++) {
      write(shape.value(i, record), shape.type(i), path + "." + shape.name(i));
    }
  }

  private void lambda(Lambda lambda, String path) {
    lambda.refuseThis(path);
    object(LAMBDA, 9 + lambda.captured().size());
    out.text(lambda.capturingClass());
    out.text(lambda.interfaceClass());
    out.text(lambda.interfaceMethod());
    out.text(lambda.interfaceDescriptor());
    out.integer(lambda.kind());
    out.text(lambda.implClass());
    out.text(lambda.implMethod());
    out.text(lambda.implDescriptor());
    out.text(lambda.instantiatedDescriptor());
    for (int i = 0; i < lambda.captured().size(); i++) {
      write(lambda.captured().get(i), Object.class, path + ".captured[" + i + "]");
    }
  }

  private void array(Object array, String path) {
    int length = Array.getLength(array);
    switch (array) {
      case int[] ints -> numbers(INTS_TAG, length, 4, i -> ints[i]);
      case long[] longs -> numbers(LONGS_TAG, length, 8, i -> longs[i]);
      case short[] shorts -> numbers(SHORTS_TAG, length, 2, i -> shorts[i]);
      case float[] floats ->
          numbers(FLOATS_TAG, length, 4, i -> Float.floatToRawIntBits(floats[i]));
      case double[] doubles ->
          numbers(DOUBLES_TAG, length, 8, i -> Double.doubleToRawLongBits(doubles[i]));
      default -> {
        Class<?> component = array.getClass().getComponentType();
        object(component.getName() + "[]", length);
        for (int i = 0; i < length; i++) {
          write(Array.get(array, i), component, path + "[" + i + "]");
        }
      }
    }
  }

  private void numbers(int tag, int length, int octets, java.util.function.IntToLongFunction at) {
    out.head(CborOut.TAG, tag);
    out.head(CborOut.BYTES, (long) length * octets);
    for (int i = 0; i < length; i++) {
      out.number(at.applyAsLong(i), octets);
    }
  }
}
