package dev.imker.charts.code;

import dev.imker.charts.ChartException;
import dev.imker.charts.NearestName;
import dev.imker.charts.market.Market;
import dev.imker.charts.series.UnusableParametersException;
import dev.imker.tasks.charts.Candles;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The indicators of the libraries of an analysis; their code is loaded when it is first called. */
public final class JavaIndicators {
  public static final JavaIndicators NONE = new JavaIndicators(List.of());

  private static final double ROUNDING = 1e-9;

  private final List<Path> libraries;
  private final Map<String, IndicatorScan.Found> byName = new LinkedHashMap<>();
  private final Map<String, Method> loaded = new LinkedHashMap<>();

  /** To be checked against only; none of them can be called. */
  public static JavaIndicators found(List<IndicatorScan.Found> indicators) {
    JavaIndicators known = new JavaIndicators(List.of());
    known.add(indicators);
    return known;
  }

  private JavaIndicators(List<Path> libraries) {
    this.libraries = libraries;
    for (Path library : libraries) {
      add(IndicatorScan.of(String.valueOf(library.getFileName()), bytes(library)));
    }
  }

  public static JavaIndicators of(List<Path> libraries) {
    return libraries.isEmpty() ? NONE : new JavaIndicators(List.copyOf(libraries));
  }

  private static byte[] bytes(Path library) {
    try {
      return Files.readAllBytes(library);
    } catch (NoSuchFileException e) {
      throw new ChartException("There is no library " + library + ".", e);
    } catch (IOException e) {
      throw new ChartException("Cannot read the library %s: %s".formatted(library, e), e);
    }
  }

  private void add(List<IndicatorScan.Found> found) {
    for (IndicatorScan.Found one : found) {
      IndicatorScan.Found other = byName.put(one.name(), one);
      if (other != null) {
        throw new ChartException(
            "Two indicators are called '%s': %s and %s."
                .formatted(one.name(), other.place(), one.place()));
      }
    }
  }

  /** Refuses what an analysis asks for and no library has. */
  public void check(String name, List<String> arguments) {
    IndicatorScan.Found found = find(name);
    for (String argument : arguments) {
      if (!found.parameters().contains(argument)) {
        throw new ChartException(
            "The Java indicator '%s' has no parameter '%s'.%s"
                .formatted(name, argument, NearestName.hint(argument, found.parameters())));
      }
    }
    for (String parameter : found.parameters()) {
      if (!arguments.contains(parameter)) {
        throw new ChartException(
            "The Java indicator '%s' needs a value for '%s'; it takes {%s}."
                .formatted(name, parameter, String.join(", ", found.parameters())));
      }
    }
  }

  private IndicatorScan.Found find(String name) {
    IndicatorScan.Found found = byName.get(name);
    if (found == null) {
      throw new ChartException(
          "No library of the analysis has a Java indicator '%s'.%s Name its file under 'libraries:'."
              .formatted(name, NearestName.hint(name, byName.keySet())));
    }
    return found;
  }

  /**
   * The values of an indicator, one for each bar.
   *
   * @param arguments by name: Double, or double[] with a value for each bar
   * @throws UnusableParametersException if it fails, or looks into the future
   */
  public double[] values(String name, Market market, Map<String, Object> arguments) {
    check(name, List.copyOf(arguments.keySet()));
    IndicatorScan.Found found = find(name);
    Method method = method(found);
    int bars = market.bars();
    double[] values = call(found, method, market, arguments, bars);
    for (int cut : new int[] {bars / 2, bars - 1}) {
      if (cut > 0) {
        double[] known = call(found, method, market, arguments, cut);
        refuseSight(found, market, known, values);
      }
    }
    return values;
  }

  private static void refuseSight(
      IndicatorScan.Found found, Market market, double[] known, double[] values) {
    for (int bar = 0; bar < known.length; bar++) {
      double before = known[bar];
      double after = values[bar];
      boolean same =
          Double.compare(before, after) == 0
              || Math.abs(before - after)
                  <= ROUNDING * Math.max(1, Math.max(Math.abs(before), Math.abs(after)));
      if (!same) {
        throw new ChartException(
            "The Java indicator '%s' looks into the future: its value for %s on %s is %s with the candles until %s, and %s with those behind them."
                .formatted(
                    found.name(),
                    market.name(),
                    market.when(bar),
                    before,
                    market.when(known.length - 1),
                    after));
      }
    }
  }

  private static double[] call(
      IndicatorScan.Found found,
      Method method,
      Market market,
      Map<String, Object> arguments,
      int bars) {
    List<Object> values = new ArrayList<>(List.of(candles(market, bars)));
    for (int i = 0; i < found.parameters().size(); i++) {
      String parameter = found.parameters().get(i);
      Object given = arguments.getOrDefault(parameter, Double.NaN);
      values.add(argument(found, parameter, found.types().get(i), given, bars));
    }
    try {
      return doubles(found, method.invoke(null, values.toArray()), bars);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof VirtualMachineError error) {
        throw error;
      }
      throw new UnusableParametersException(
          "The Java indicator '%s' failed: %s%s".formatted(found.name(), cause, line(cause)),
          cause);
    } catch (IllegalAccessException e) {
      throw new ChartException("Cannot call %s: %s".formatted(found.place(), e.getMessage()), e);
    }
  }

  private static String line(Throwable cause) {
    StackTraceElement[] frames = cause.getStackTrace();
    return frames.length == 0 ? "" : " (" + frames[0] + ")";
  }

  private static Object argument(
      IndicatorScan.Found found, String parameter, Class<?> type, Object given, int bars) {
    if (type == double[].class) {
      if (given instanceof double[] series) {
        return Arrays.copyOf(series, bars);
      }
      double[] same = new double[bars];
      Arrays.fill(same, (Double) given);
      return same;
    }
    if (!(given instanceof Double number)) {
      throw new ChartException(
          "The Java indicator '%s' takes a number for '%s', not an indicator."
              .formatted(found.name(), parameter));
    }
    if (type == int.class) {
      if (number != Math.rint(number)) {
        throw new UnusableParametersException(
            "The Java indicator '%s' takes a whole number for '%s', not %s."
                .formatted(found.name(), parameter, number));
      }
      return number.intValue();
    }
    return number;
  }

  private static double[] doubles(IndicatorScan.Found found, Object result, int bars) {
    double[] values;
    if (result instanceof boolean[] truths) {
      values = new double[truths.length];
      for (int i = 0; i < values.length; i++) {
        values[i] = truths[i] ? 1 : 0;
      }
    } else if (result instanceof double[] numbers) {
      values = numbers.clone();
    } else {
      throw new ChartException("%s gave nothing.".formatted(found.place()));
    }
    if (values.length != bars) {
      throw new ChartException(
          "%s gave %d values for %d candles; one for each is needed."
              .formatted(found.place(), values.length, bars));
    }
    for (int i = 0; i < bars; i++) {
      values[i] = Double.isInfinite(values[i]) ? Double.NaN : values[i];
    }
    return values;
  }

  private static Candles candles(Market market, int bars) {
    long[] times = new long[bars];
    for (int bar = 0; bar < bars; bar++) {
      times[bar] = market.times().clock(bar);
    }
    return new Candles(
        market.name(),
        times,
        Arrays.copyOf(market.open(), bars),
        Arrays.copyOf(market.high(), bars),
        Arrays.copyOf(market.low(), bars),
        Arrays.copyOf(market.close(), bars),
        Arrays.copyOf(market.volume(), bars));
  }

  // ---------------------------------------------------------------- loading

  private synchronized Method method(IndicatorScan.Found found) {
    Method known = loaded.get(found.name());
    if (known == null) {
      Loader loader = Loader.of(libraries);
      byName.values().forEach(one -> loaded.put(one.name(), load(one, loader)));
      known = loaded.get(found.name());
    }
    if (known == null) {
      throw new ChartException("Cannot load " + found.place() + ".");
    }
    return known;
  }

  private static Method load(IndicatorScan.Found found, ClassLoader loader) {
    List<Class<?>> types = new ArrayList<>(List.of(Candles.class));
    types.addAll(found.types());
    try {
      return Class.forName(found.className(), true, loader)
          .getMethod(found.method(), types.toArray(Class<?>[]::new));
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new ChartException("Cannot load %s: %s".formatted(found.place(), e), e);
    }
  }

  /** Sees the libraries, Java and the annotation, and nothing else of Imker. */
  private static final class Loader extends URLClassLoader {
    private static final String OURS = Candles.class.getPackageName() + ".";

    private Loader(URL[] urls) {
      super(urls, ClassLoader.getPlatformClassLoader());
    }

    static Loader of(List<Path> libraries) {
      return new Loader(libraries.stream().map(Loader::url).toArray(URL[]::new));
    }

    private static URL url(Path library) {
      try {
        return library.toUri().toURL();
      } catch (MalformedURLException e) {
        throw new ChartException("The path %s cannot be used.".formatted(library), e);
      }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      return name.startsWith(OURS)
          ? Class.forName(name, true, Candles.class.getClassLoader())
          : super.loadClass(name, resolve);
    }
  }
}
