package dev.imker.tasks.values;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what {@link ValueWriter} wrote. */
final class ValueReader {
  private static final int DEEPEST = 250;
  private static final Map<String, Class<?>> PRIMITIVES =
      Map.of("boolean", boolean.class, "char", char.class);

  private final CborIn in;
  private final ClassLoader classes;
  private int depth;

  ValueReader(CborIn in, ClassLoader classes) {
    this.in = in;
    this.classes = classes;
  }

  @Nullable Object read() {
    if (++depth > DEEPEST) {
      throw new ValueException("not a value: nested too deep");
    }
    int initial = in.octet();
    Object value =
        switch (initial >> 5) {
          case CborOut.UNSIGNED -> number(in.argument(initial));
          case CborOut.NEGATIVE -> number(~in.argument(initial));
          case CborOut.BYTES -> in.bytes(initial);
          case CborOut.TEXT -> in.text(initial);
          case CborOut.ARRAY -> elements(initial, new ArrayList<>());
          case CborOut.MAP -> entries(initial);
          case CborOut.TAG -> tagged(in.argument(initial));
          default -> simple(initial);
        };
    depth--;
    return value;
  }

  private static Object number(long number) {
    if (number == (int) number) {
      return (int) number;
    }
    return number;
  }

  private @Nullable Object simple(int initial) {
    return switch (initial) {
      case CborOut.FALSE -> false;
      case CborOut.TRUE -> true;
      case CborOut.NULL -> null;
      case CborOut.FLOAT -> in.float32();
      case CborOut.DOUBLE -> in.float64();
      default -> throw new ValueException("not a value: an unknown item");
    };
  }

  private <C extends Collection<@Nullable Object>> C elements(int initial, C into) {
    int count = in.length(initial);
    for (int i = 0; i < count; i++) {
      into.add(read());
    }
    return into;
  }

  private Map<@Nullable Object, @Nullable Object> entries(int initial) {
    int count = in.length(initial);
    Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      Object key = read();
      map.put(key, read());
    }
    return map;
  }

  private Object tagged(long tag) {
    return switch ((int) tag) {
      case ValueWriter.OBJECT_TAG -> object();
      case ValueWriter.SET_TAG -> elements(array(), new LinkedHashSet<>());
      case ValueWriter.LONG_TAG ->
          read() instanceof Number number ? (Object) number.longValue() : wrong("a number");
      case ValueWriter.SHORTS_TAG,
          ValueWriter.INTS_TAG,
          ValueWriter.LONGS_TAG,
          ValueWriter.FLOATS_TAG,
          ValueWriter.DOUBLES_TAG ->
          numbers((int) tag);
      default -> throw new ValueException("not a value: tag " + tag);
    };
  }

  private static Object wrong(String expected) {
    throw new ValueException("not a value: " + expected + " was expected");
  }

  private int array() {
    int initial = in.octet();
    if (initial >> 5 != CborOut.ARRAY) {
      throw new ValueException("not a value: a list was expected");
    }
    return initial;
  }

  private String text() {
    return read() instanceof String text ? text : (String) wrong("a text");
  }

  private Object numbers(int tag) {
    ByteBuffer bytes =
        ByteBuffer.wrap(read() instanceof byte[] read ? read : (byte[]) wrong("bytes"));
    int octets = bytes.remaining();
    return switch (tag) {
      case ValueWriter.INTS_TAG -> {
        int[] ints = new int[octets / 4];
        bytes.asIntBuffer().get(ints);
        yield ints;
      }
      case ValueWriter.LONGS_TAG -> {
        long[] longs = new long[octets / 8];
        bytes.asLongBuffer().get(longs);
        yield longs;
      }
      case ValueWriter.SHORTS_TAG -> {
        short[] shorts = new short[octets / 2];
        bytes.asShortBuffer().get(shorts);
        yield shorts;
      }
      case ValueWriter.FLOATS_TAG -> {
        float[] floats = new float[octets / 4];
        bytes.asFloatBuffer().get(floats);
        yield floats;
      }
      default -> {
        double[] doubles = new double[octets / 8];
        bytes.asDoubleBuffer().get(doubles);
        yield doubles;
      }
    };
  }

  private Object object() {
    int count = in.length(array()) - 1;
    if (count < 0) {
      throw new ValueException("not a value: an object without a type");
    }
    String type = text();
    if (type.equals(ValueWriter.LAMBDA)) {
      return lambda(count);
    }
    if (type.endsWith("[]")) {
      return objects(type.substring(0, type.length() - 2), count);
    }
    if (count == 1) {
      Object single = single(type);
      if (single != null) {
        return single;
      }
    }
    return record(resolve(type), count);
  }

  /** A type with one argument that is no record, or null. */
  private @Nullable Object single(String type) {
    return switch (type) {
      case "java.util.Optional" -> Optional.ofNullable(read());
      case "java.lang.Short", "java.lang.Byte", "java.lang.Character" -> small(type);
      case ValueWriter.CLASS -> resolve(text());
      default -> type.startsWith("java.") ? plain(type) : constant(type);
    };
  }

  private Object small(String type) {
    Number number = read() instanceof Number read ? read : (Number) wrong("a number");
    return switch (type) {
      case "java.lang.Short" -> number.shortValue();
      case "java.lang.Byte" -> number.byteValue();
      default -> (char) number.intValue();
    };
  }

  private Object plain(String type) {
    if (isEnum(type)) {
      return constant(resolve(type), text());
    }
    Object value = PlainTypes.parse(type, text());
    return value != null ? value : wrong("a type that travels, not " + type + ",");
  }

  private @Nullable Object constant(String type) {
    return isEnum(type) ? constant(resolve(type), text()) : null;
  }

  private boolean isEnum(String type) {
    return resolve(type).isEnum();
  }

  private static Object constant(Class<?> type, String name) {
    for (Object constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new ValueException(type.getName() + " has no constant " + name + ".");
  }

  private Object record(Class<?> type, int count) {
    if (!type.isRecord()) {
      throw new ValueException(type.getName() + " is not a record; values are.");
    }
    RecordShape shape = RecordShape.of(type);
    if (shape.size() != count) {
      throw new ValueException(
          "The record %s has %d components, but %d values were received; it may have another version."
              .formatted(type.getName(), shape.size(), count));
    }
    @Nullable Object[] values = new @Nullable Object[count];
    for (int i = 0; i < count; i++) {
      values[i] = Containers.fit(read(), shape.type(i));
    }
    return shape.make(values);
  }

  private Object objects(String component, int count) {
    Class<?> primitive = PRIMITIVES.get(component);
    Object array = Array.newInstance(primitive != null ? primitive : resolve(component), count);
    Class<?> type = array.getClass().getComponentType();
    for (int i = 0; i < count; i++) {
      try {
        Array.set(array, i, Containers.fit(read(), type));
      } catch (IllegalArgumentException e) {
        throw new ValueException("Values do not fit an array of " + component + ".", e);
      }
    }
    return array;
  }

  private Object lambda(int count) {
    if (count < 9) {
      throw new ValueException("not a value: half a lambda");
    }
    String capturing = text();
    String interfaceClass = text();
    String interfaceMethod = text();
    String interfaceDescriptor = text();
    int kind = read() instanceof Integer number ? number : (Integer) wrong("a number");
    String implClass = text();
    String implMethod = text();
    String implDescriptor = text();
    String instantiated = text();
    List<@Nullable Object> captured = new ArrayList<>();
    for (int i = 9; i < count; i++) {
      captured.add(read());
    }
    return new Lambda(
            capturing,
            interfaceClass,
            interfaceMethod,
            interfaceDescriptor,
            kind,
            implClass,
            implMethod,
            implDescriptor,
            instantiated,
            captured)
        .make(classes);
  }

  private Class<?> resolve(String name) {
    try {
      Class<?> primitive = Class.forPrimitiveName(name);
      return primitive != null ? primitive : Class.forName(name, false, classes);
    } catch (ClassNotFoundException e) {
      throw new ValueException("The class " + name + " is not known here.", e);
    } catch (LinkageError e) {
      throw new ValueException("The class " + name + " cannot be loaded: " + e.getMessage(), e);
    }
  }
}
