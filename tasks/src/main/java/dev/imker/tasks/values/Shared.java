package dev.imker.tasks.values;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A value that many calls use and that a machine gets once. It comes with the code of the calls, as
 * a file in a jar.
 *
 * @param sha256 of the value's bytes
 * @param <T> of the value
 */
public record Shared<T>(String sha256) {
  /** Where jars have such values, by their hashes. */
  public static final String FOLDER = "META-INF/imker/shared/";

  private static final Map<String, Reference<Object>> KNOWN = new ConcurrentHashMap<>();

  /** The value; the same object for all calls in a process, so nobody may change it. */
  @SuppressWarnings("unchecked") // only its maker knows the type, and made it of that one
  public T get() {
    Object known = known();
    return (T) (known == null ? read() : known);
  }

  private @Nullable Object known() {
    Reference<Object> reference = KNOWN.get(sha256);
    return reference == null ? null : reference.get();
  }

  private Object read() {
    synchronized (Shared.class) { // a large one is not read twice at a time
      Object known = known();
      if (known != null) {
        return known;
      }
      ClassLoader classes = Thread.currentThread().getContextClassLoader();
      try (InputStream in = classes.getResourceAsStream(FOLDER + sha256)) {
        Object value = in == null ? null : Values.decode(in.readAllBytes(), classes);
        if (value == null) {
          throw new IllegalStateException(
              "The shared value is not available here: only calls of the executor that"
                  + " shares it, and calls that they spawn, have it.");
        }
        KNOWN.put(sha256, new SoftReference<>(value));
        return value;
      } catch (IOException e) {
        throw new ValueException("The shared value cannot be read: " + e.getMessage(), e);
      }
    }
  }

  /** A value for calls in this program, for as long as somebody else holds it. */
  public static <T> Shared<T> of(String sha256, T value) {
    KNOWN.put(sha256, new WeakReference<>(value));
    return new Shared<>(sha256);
  }
}
