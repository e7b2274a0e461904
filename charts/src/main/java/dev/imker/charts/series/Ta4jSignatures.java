package dev.imker.charts.series;

import dev.imker.charts.ChartException;
import dev.imker.model.code.CodePlace;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;
import org.ta4j.core.BarSeries;
import org.ta4j.core.Indicator;
import org.ta4j.core.num.Num;

/** The indicator classes of ta4j with those constructors that a file can describe. */
public final class Ta4jSignatures {
  private static final String PACKAGE = "org/ta4j/core/indicators/";
  private static final Map<String, Constructor<?>> BY_KEY = new HashMap<>();
  private static final Map<Class<?>, List<Signature>> BY_CLASS = scan();

  private Ta4jSignatures() {}

  public static Constructor<?> constructor(String key) {
    return Objects.requireNonNull(BY_KEY.get(key), key);
  }

  static Map<Class<?>, List<Signature>> byClass() {
    return BY_CLASS;
  }

  private static Map<Class<?>, List<Signature>> scan() {
    Map<String, Class<?>> classes = new TreeMap<>();
    for (String name : classNames()) {
      load(name).ifPresent(type -> classes.put(type.getName(), type));
    }
    Map<Class<?>, List<Signature>> signatures = new HashMap<>();
    for (Class<?> type : classes.values()) {
      List<Signature> usable = signatures(type);
      if (!usable.isEmpty()) {
        signatures.put(type, usable);
      }
    }
    return Map.copyOf(signatures);
  }

  /** From the jar, or the shaded jar, that ta4j itself was loaded from. */
  private static List<String> classNames() {
    try {
      Path source = CodePlace.of(Indicator.class);
      return Files.isDirectory(source) ? inFolder(source) : inJar(source);
    } catch (IOException e) {
      throw new ChartException("Cannot list the indicators of ta4j: " + e.getMessage(), e);
    }
  }

  private static List<String> inFolder(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root.resolve(PACKAGE))) {
      return classes(files.map(file -> root.relativize(file).toString().replace('\\', '/')));
    }
  }

  /** The virtual machine has read the list of this jar already; a file system would do it again. */
  private static List<String> inJar(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return classes(zip.stream().map(ZipEntry::getName));
    }
  }

  private static List<String> classes(Stream<String> files) {
    return files
        .filter(name -> name.startsWith(PACKAGE) && name.endsWith(".class") && !name.contains("$"))
        .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
        .toList();
  }

  private static Optional<Class<?>> load(String name) {
    try {
      Class<?> type = Class.forName(name, false, Indicator.class.getClassLoader());
      boolean usable =
          Indicator.class.isAssignableFrom(type)
              && Modifier.isPublic(type.getModifiers())
              && !Modifier.isAbstract(type.getModifiers());
      return usable ? Optional.of(type) : Optional.empty();
    } catch (ClassNotFoundException e) {
      throw new ChartException("ta4j is incomplete: " + name + " is missing.", e);
    }
  }

  static IndicatorCatalogue.Yield yieldOf(Class<?> type) {
    Class<?> value = valueType(type);
    if (value == Num.class) {
      return IndicatorCatalogue.Yield.NUMBER;
    }
    return value == Boolean.class
        ? IndicatorCatalogue.Yield.TRUTH
        : IndicatorCatalogue.Yield.STRUCTURE;
  }

  /** Whether an expression makes the kind of indicator that a slot wants. */
  static boolean makes(SeriesExpr expression, Class<?> wanted) {
    if (wanted == Indicator.class) {
      return true;
    }
    return expression instanceof SeriesExpr.Call call
        && BY_KEY.containsKey(call.key())
        && wanted.isAssignableFrom(constructor(call.key()).getDeclaringClass());
  }

  /** What T is in the Indicator&lt;T&gt; that a class implements; null if it stays open. */
  private static @Nullable Class<?> valueType(Class<?> type) {
    for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
      List<Type> parents = new ArrayList<>(List.of(c.getGenericInterfaces()));
      parents.add(c.getGenericSuperclass());
      for (Type parent : parents) {
        if (parent instanceof ParameterizedType parameterized
            && Indicator.class.isAssignableFrom((Class<?>) parameterized.getRawType())
            && parameterized.getActualTypeArguments()[0] instanceof Class<?> argument) {
          return argument;
        }
      }
    }
    return null;
  }

  private static List<Signature> signatures(Class<?> type) {
    List<Signature> signatures = new ArrayList<>();
    for (Constructor<?> constructor : type.getConstructors()) {
      List<Slot> slots = slots(constructor);
      if (slots != null) {
        String key = key(constructor);
        BY_KEY.put(key, constructor);
        signatures.add(Signature.ofConstructor(key, slots));
      }
    }
    return signatures;
  }

  private static String key(Constructor<?> constructor) {
    return Stream.of(constructor.getParameterTypes())
        .map(Class::getSimpleName)
        .collect(
            Collectors.joining(",", constructor.getDeclaringClass().getSimpleName() + "(", ")"));
  }

  /** The slots a user fills, or null if some parameter cannot be written in a file. */
  private static @Nullable List<Slot> slots(Constructor<?> constructor) {
    List<Slot> slots = new ArrayList<>();
    boolean seriesKnown = false;
    for (Parameter parameter : constructor.getParameters()) {
      if (parameter.getType() == BarSeries.class) {
        seriesKnown = true;
        continue;
      }
      Slot slot = slot(parameter, slots.stream().noneMatch(s -> s.kind() == Slot.Kind.SERIES));
      if (slot == null) {
        return null;
      }
      seriesKnown |= slot.kind() == Slot.Kind.SERIES;
      slots.add(slot);
    }
    return seriesKnown ? slots : null;
  }

  private static @Nullable Slot slot(Parameter parameter, boolean firstSeries) {
    Class<?> type = parameter.getType();
    String name = parameter.getName();
    if (type == int.class) {
      return new Slot(name, Slot.Kind.WHOLE_NUMBER, type, null);
    }
    if (type == double.class || type == Num.class || type == Number.class) {
      return new Slot(name, Slot.Kind.NUMBER, type, null);
    }
    if (type == boolean.class) {
      return new Slot(name, Slot.Kind.FLAG, type, null);
    }
    if (type.isEnum()) {
      return new Slot(name, Slot.Kind.CHOICE, type, null);
    }
    if (type == Indicator.class) {
      Argument fallback = firstSeries ? Argument.of(SeriesExpr.CLOSE) : null;
      return isOfNumbers(parameter) ? new Slot(name, Slot.Kind.SERIES, type, fallback) : null;
    }
    if (Indicator.class.isAssignableFrom(type)) {
      return new Slot(name, Slot.Kind.SERIES, type, priceOf(type));
    }
    return null;
  }

  private static boolean isOfNumbers(Parameter parameter) {
    if (parameter.getParameterizedType() instanceof ParameterizedType parameterized) {
      Type argument = parameterized.getActualTypeArguments()[0];
      return argument == Num.class || argument instanceof WildcardType;
    }
    return false;
  }

  /** An indicator that needs nothing but the candles can be made without being asked for. */
  private static @Nullable Argument priceOf(Class<?> type) {
    for (Constructor<?> constructor : type.getConstructors()) {
      if (constructor.getParameterCount() == 1
          && constructor.getParameterTypes()[0] == BarSeries.class
          && type.getSimpleName()
              .matches("(Open|High|Low|Close)PriceIndicator|TRIndicator|VolumeIndicator")) {
        BY_KEY.put(key(constructor), constructor);
        return Argument.of(SeriesExpr.Call.of(key(constructor)));
      }
    }
    return null;
  }
}
