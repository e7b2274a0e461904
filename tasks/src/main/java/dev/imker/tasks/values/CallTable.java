package dev.imker.tasks.values;

import dev.imker.tasks.RemoteFunction;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Many calls as bytes. What calls have in common, which lambda they are or which function they
 * apply, is a template that stands there once; an entry has the number of its template and what is
 * its own.
 */
public final class CallTable {
  private static final int NO_TEMPLATE = -1;

  /** A template is a list of this and what it is made of. */
  private static final int LAMBDA = 0;

  private static final int FUNCTION = 1;

  /** The bytes of a value that several calls have captured, or are given. */
  private static final int VALUE = 2;

  /** What is larger and comes more than once is sent once. */
  private static final int LARGE_BYTES = 64 << 10;

  private static final int MAX_SEEN = 1_000;

  /** Stands in an entry for a large value that other entries have too. */
  record Common(int template) {}

  private CallTable() {}

  /** What calls have in common; grows with every new kind of them. */
  public static final class Templates {
    private final Map<Object, Integer> known = new HashMap<>();
    private final List<byte[]> templates = new ArrayList<>();
    private final Set<ByteBuffer> seen = new HashSet<>();
    private long bytes;

    /**
     * The entry of a {@link Callable} or {@link Runnable}.
     *
     * @throws ValueException if it cannot travel
     */
    public byte[] encode(Object call) {
      if (!Lambda.isLambda(call)) {
        return entry(NO_TEMPLATE, List.of(call), "The call");
      }
      Lambda lambda = Lambda.of(call, "The call");
      lambda.refuseThis("The call");
      return entry(template(lambda), lambda.captured(), "The call");
    }

    /** The entry of the application of a function to an argument. */
    public byte[] encode(Object function, @Nullable Object argument) {
      Integer number = known.get(function);
      if (number == null) {
        number = remember(function, Values.encode(List.of(FUNCTION, function), "The function"));
      }
      List<@Nullable Object> one = new ArrayList<>();
      one.add(argument);
      return entry(number, one, "The argument");
    }

    private int template(Lambda lambda) {
      Lambda shape =
          new Lambda(
              lambda.capturingClass(),
              lambda.interfaceClass(),
              lambda.interfaceMethod(),
              lambda.interfaceDescriptor(),
              lambda.kind(),
              lambda.implClass(),
              lambda.implMethod(),
              lambda.implDescriptor(),
              lambda.instantiatedDescriptor(),
              List.of());
      Integer number = known.get(shape);
      return number != null
          ? number
          : remember(shape, Values.encode(List.of(LAMBDA, fields(shape)), "The call"));
    }

    private int remember(Object key, byte[] encoded) {
      known.put(key, templates.size());
      bytes += encoded.length;
      templates.add(encoded);
      return templates.size() - 1;
    }

    @SuppressWarnings("ReferenceEquality") // equals() would run code of the values
    private byte[] entry(int template, List<? extends @Nullable Object> own, String what) {
      byte[] whole = encoded(template, own, what);
      if (whole.length < LARGE_BYTES || template == NO_TEMPLATE) {
        return whole;
      }
      List<@Nullable Object> parts = new ArrayList<>(own.size());
      boolean same = true;
      for (Object value : own) {
        Object part = common(value);
        same &= part == value;
        parts.add(part);
      }
      return same ? whole : encoded(template, parts, what);
    }

    private static byte[] encoded(int template, List<? extends @Nullable Object> own, String what) {
      CborOut out = new CborOut();
      out.head(CborOut.ARRAY, own.size() + 1L);
      out.integer(template);
      for (int i = 0; i < own.size(); i++) {
        Object value = own.get(i);
        new ValueWriter(out).write(value, Object.class, path(what, own.size(), template, i));
      }
      return out.toByteArray();
    }

    /** A value, or what stands for it if it is large and was there before. */
    private @Nullable Object common(@Nullable Object value) {
      byte[] content = Values.encode(value, "The value");
      if (content.length < LARGE_BYTES) {
        return value;
      }
      ByteBuffer hash = ByteBuffer.wrap(sha256(content));
      Integer number = known.get(hash);
      if (number == null && seen.size() < MAX_SEEN && seen.add(hash)) {
        return value; // most come only once
      }
      return new Common(number != null ? number : remember(hash, value(content)));
    }

    private static byte[] value(byte[] content) {
      CborOut out = new CborOut();
      out.head(CborOut.ARRAY, 2);
      out.integer(VALUE);
      out.bytes(content);
      return out.toByteArray();
    }

    private static byte[] sha256(byte[] content) {
      try {
        return MessageDigest.getInstance("SHA-256").digest(content);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }

    private static String path(String what, int size, int template, int i) {
      return template == NO_TEMPLATE || (size == 1 && what.equals("The argument"))
          ? what
          : what + ".captured[" + i + "]";
    }

    public int size() {
      return templates.size();
    }

    public long bytes() {
      return bytes;
    }

    /** All of them, for {@link Reader}. */
    public byte[] table() {
      return ByteTable.of(templates);
    }
  }

  /** Collects calls. */
  public static final class Builder {
    private final Templates templates = new Templates();
    private final List<byte[]> entries = new ArrayList<>();
    private long bytes;

    /**
     * Adds a {@link Callable} or {@link Runnable}.
     *
     * @throws ValueException if it cannot travel
     */
    public void add(Object call) {
      add(templates.encode(call));
    }

    /** Adds the application of a function to an argument. */
    public void add(Object function, @Nullable Object argument) {
      add(templates.encode(function, argument));
    }

    private void add(byte[] entry) {
      entries.add(entry);
      bytes += entry.length;
    }

    public int size() {
      return entries.size();
    }

    /** How many bytes the entries take. */
    public long bytes() {
      return bytes;
    }

    public byte[] templates() {
      return templates.table();
    }

    public byte[] entries() {
      return ByteTable.of(entries);
    }
  }

  private static List<Object> fields(Lambda lambda) {
    return List.of(
        lambda.capturingClass(),
        lambda.interfaceClass(),
        lambda.interfaceMethod(),
        lambda.interfaceDescriptor(),
        lambda.kind(),
        lambda.implClass(),
        lambda.implMethod(),
        lambda.implDescriptor(),
        lambda.instantiatedDescriptor());
  }

  /** Makes calls from bytes. */
  public static final class Reader {
    private final List<List<?>> templates = new ArrayList<>();
    private final ClassLoader classes;

    public Reader(byte[] templateTable, ClassLoader classes) {
      this.classes = classes;
      ByteTable table = ByteTable.read(templateTable);
      for (int i = 0; i < table.size(); i++) {
        if (!(Values.decode(table.get(i), classes) instanceof List<?> template)) {
          throw new ValueException("not a template");
        }
        templates.add(template);
      }
    }

    /** The call of an entry. */
    public Callable<@Nullable Object> read(byte[] entry) {
      if (!(Values.decode(entry, classes) instanceof List<?> list)
          || list.isEmpty()
          || !(list.getFirst() instanceof Integer number)
          || number >= templates.size()) {
        throw new ValueException("not a call");
      }
      if (number < 0) {
        return callable(list.get(1));
      }
      List<@Nullable Object> own = new ArrayList<>(list.subList(1, list.size()));
      own.replaceAll(this::whole);
      List<?> template = templates.get(number);
      Object content = template.get(1);
      if (Integer.valueOf(FUNCTION).equals(template.getFirst())) {
        return application(content, own.getFirst());
      }
      return callable(lambda((List<?>) content, own).make(classes));
    }

    /** Each call gets a copy of its own of what it has in common with others. */
    private @Nullable Object whole(@Nullable Object value) {
      return value instanceof Common(int template)
              && template >= 0
              && template < templates.size()
              && templates.get(template).get(1) instanceof byte[] content
          ? Values.decode(content, classes)
          : value;
    }

    private static Lambda lambda(List<?> fields, List<?> captured) {
      return new Lambda(
          (String) fields.get(0),
          (String) fields.get(1),
          (String) fields.get(2),
          (String) fields.get(3),
          (Integer) fields.get(4),
          (String) fields.get(5),
          (String) fields.get(6),
          (String) fields.get(7),
          (String) fields.get(8),
          new ArrayList<>(captured));
    }

    private static Callable<@Nullable Object> callable(@Nullable Object call) {
      return switch (call) {
        case Callable<?> callable -> callable::call;
        case Runnable runnable ->
            () -> {
              runnable.run();
              return null;
            };
        case null, default -> throw new ValueException("neither a Callable nor a Runnable");
      };
    }

    @SuppressWarnings({
      "unchecked",
      "NullAway"
    }) // what a function takes is between it and its caller
    private static Callable<@Nullable Object> application(
        @Nullable Object function, @Nullable Object argument) {
      if (!(function instanceof RemoteFunction<?, ?>)) {
        throw new ValueException("not a RemoteFunction");
      }
      RemoteFunction<@Nullable Object, @Nullable Object> apply =
          (RemoteFunction<@Nullable Object, @Nullable Object>) function;
      return () -> apply.apply(argument);
    }
  }
}
