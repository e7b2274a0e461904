package dev.imker.charts.spec;

import dev.imker.charts.ChartException;
import dev.imker.charts.search.Across;
import dev.imker.charts.search.Expression;
import dev.imker.charts.search.Objective;
import dev.imker.charts.search.Search;
import dev.imker.charts.search.Selection;
import dev.imker.charts.search.Space;
import dev.imker.charts.spec.Analysis.Kind;
import dev.imker.charts.spec.Analysis.Output;
import dev.imker.charts.strategy.TradingStrategy;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads the YAML file of an analysis. */
public final class AnalysisReader {
  private static final int MAX_TASKS = 10_000;
  private static final List<String> FIELDS =
      List.of(
          "kind",
          "name",
          "data",
          "parameters",
          "strategy",
          "optimise",
          "walk-forward",
          "luck",
          "report",
          "libraries",
          // of the job that the analysis may become; nothing to do with them here
          "imker",
          "project",
          "env",
          "priority",
          "tasks",
          "on-failure",
          "notify");
  private static final int USUAL_BUDGET = 1000;
  private static final int USUAL_GENERATION = 50;

  private AnalysisReader() {}

  /**
   * Reads a file.
   *
   * @throws SpecException if it is wrong; tells line, column, field and remedy
   */
  public static Analysis read(Path file) {
    try {
      return parse(String.valueOf(file.getFileName()), Files.readString(file));
    } catch (StackOverflowError e) {
      throw new ChartException(
          file + " is nested too deep; look for a bracket that is never closed.", e);
    } catch (NoSuchFileException e) {
      throw new ChartException("There is no file " + file + ".", e);
    } catch (CharacterCodingException e) {
      throw new ChartException(file + " is not UTF-8; save it as UTF-8.", e);
    } catch (IOException e) {
      throw new ChartException("Cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Reads a text.
   *
   * @param file names it in messages
   */
  public static Analysis parse(String file, String text) {
    YamlValue root = YamlValue.parse(file, text);
    Mistakes mistakes = root.mistakes();
    Map<String, YamlValue> map = mistakes.reading(() -> root.map(FIELDS), Map.of());
    Kind written = mistakes.reading(() -> kind(Quantities.require(map, "kind", root)));
    Kind kind = written == null ? Kind.OPTIMISE : written;
    if (written != null) {
      checkSections(map, kind);
    }
    Quantities quantities = new Quantities(kind != Kind.BACKTEST);
    YamlValue parameters = map.get("parameters");
    if (parameters != null) {
      quantities.declare(parameters);
    }
    DataSpec data = mistakes.reading(() -> DataReader.read(Quantities.require(map, "data", root)));
    TradingStrategy strategy =
        mistakes.reading(
            () -> strategy(Quantities.require(map, "strategy", root), quantities, kind));
    Optimise optimise = new Optimise(map.get("optimise"), quantities);
    Space space = mistakes.reading(optimise::space);
    Search search = mistakes.reading(optimise::search, Search.ALL);
    Objective objective = mistakes.reading(optimise::objective, Objective.parse("sharpe", false));
    Across across = mistakes.reading(optimise::across, Across.MEAN);
    Selection selection = mistakes.reading(optimise::selection, Selection.BEST);
    WalkForwardSpec walk =
        mistakes.reading(() -> walkForward(map.get("walk-forward"), objective, selection));
    YamlValue searched = map.get("optimise");
    if (kind == Kind.WALK_FORWARD
        && search.method() == Search.Method.EVOLUTION
        && searched != null) {
      mistakes.add(
          searched.error(
              "a walk-forward tries the same combinations in every window, and evolution chooses"
                  + " them by results; take all, random or halton."));
    }
    boolean halving = search.method() == Search.Method.HALVING;
    LuckSpec luck = mistakes.reading(() -> LuckSpec.read(map.get("luck"), kind, halving));
    Set<Output> outputs = mistakes.reading(() -> outputs(map.get("report")), Set.of());
    List<String> libraries = mistakes.reading(() -> libraries(map.get("libraries")), List.of());
    int tasks = mistakes.reading(() -> tasks(map.get("tasks")), 0);
    String name =
        mistakes.reading(() -> map.containsKey("name") ? text(map, "name", root) : stem(file), "");
    mistakes.throwIfAny();
    return new Analysis(
        kind,
        name,
        Objects.requireNonNull(data),
        Objects.requireNonNull(strategy),
        Objects.requireNonNull(space),
        search,
        objective,
        across,
        selection,
        Objects.requireNonNull(walk),
        Objects.requireNonNull(luck),
        libraries,
        outputs,
        tasks);
  }

  private static String text(Map<String, YamlValue> map, String key, YamlValue parent) {
    return Quantities.require(map, key, parent).text();
  }

  private static int tasks(@Nullable YamlValue value) {
    int tasks = value == null ? 0 : value.whole(1);
    if (value != null && tasks > MAX_TASKS) {
      throw value.error("more than %,d tasks are too many.".formatted(MAX_TASKS));
    }
    return tasks;
  }

  private static TradingStrategy strategy(YamlValue value, Quantities quantities, Kind kind) {
    TradingStrategy strategy = new StrategyReader(quantities).read(value);
    if (kind != Kind.BACKTEST && quantities.parameters().isEmpty() && value.mistakes().isEmpty()) {
      throw value.error(
          "nothing to vary: replace a number by a range, as in {from: 5, to: 50, step: 5}.");
    }
    return strategy;
  }

  private static String stem(String file) {
    int dot = file.lastIndexOf('.');
    return dot > 0 ? file.substring(0, dot) : file;
  }

  private static Kind kind(YamlValue value) {
    return Kind.values()[Kind.labels().indexOf(value.oneOf("kind", Kind.labels()))];
  }

  private static void checkSections(Map<String, YamlValue> map, Kind kind) {
    YamlValue optimise = map.get("optimise");
    YamlValue walk = map.get("walk-forward");
    if (optimise != null && kind == Kind.BACKTEST) {
      optimise
          .mistakes()
          .add(
              optimise.error(
                  "a backtest does not optimise; use 'kind: optimise', or remove this."));
    }
    if (walk != null && kind != Kind.WALK_FORWARD) {
      walk.mistakes().add(walk.error("this needs 'kind: walk-forward' at the top."));
    }
  }

  private static Set<Output> outputs(@Nullable YamlValue value) {
    if (value == null) {
      return EnumSet.allOf(Output.class);
    }
    YamlValue formats = Quantities.require(value.map(List.of("formats")), "formats", value);
    Set<Output> outputs = EnumSet.noneOf(Output.class);
    for (YamlValue item : formats.itemsOrSelf()) {
      List<String> labels = Output.labels();
      outputs.add(Output.values()[labels.indexOf(item.oneOf("format", labels))]);
    }
    return outputs;
  }

  private static List<String> libraries(@Nullable YamlValue value) {
    return value == null ? List.of() : value.itemsOrSelf().stream().map(YamlValue::text).toList();
  }

  private static WalkForwardSpec walkForward(
      @Nullable YamlValue value, Objective objective, Selection selection) {
    List<String> fields =
        List.of("train", "test", "purge", "objective", "select", "anchored", "flat-at-window-end");
    Map<String, YamlValue> map = value == null ? Map.of() : value.map(fields);
    YamlValue anchored = map.get("anchored");
    YamlValue flat = map.get("flat-at-window-end");
    List<Integer> train = list(map.get("train"), v -> v.whole(2), 750);
    return new WalkForwardSpec(
        train,
        list(map.get("test"), v -> v.whole(2), 125),
        list(map.get("objective"), Optimise::objective, objective),
        list(map.get("select"), Optimise::selection, selection),
        purge(map.get("purge"), train),
        anchored != null && anchored.flag(),
        flat != null && flat.flag());
  }

  private static int purge(@Nullable YamlValue value, List<Integer> train) {
    int bars = value == null ? 0 : value.whole(0);
    int shortest = Collections.min(train);
    if (value != null && bars > shortest - 2) {
      throw value.error(
          "%d bars are purged from the end of training windows of %d; at least 2 must remain."
              .formatted(bars, shortest));
    }
    return bars;
  }

  private static <T> List<T> list(
      @Nullable YamlValue value, Function<YamlValue, T> reader, T otherwise) {
    return value == null ? List.of(otherwise) : value.itemsOrSelf().stream().map(reader).toList();
  }

  /** The section of that name, with what is usual where it says nothing. */
  private record Optimise(Map<String, YamlValue> map, Quantities quantities) {
    Optimise(@Nullable YamlValue section, Quantities quantities) {
      this(
          section == null
              ? Map.of()
              : section.map(List.of("objective", "search", "across", "select", "where")),
          quantities);
    }

    Objective objective() {
      YamlValue value = map.get("objective");
      return value == null ? Objective.parse("sharpe", false) : objective(value);
    }

    static Objective objective(YamlValue value) {
      try {
        if (value.isMap()) {
          var only = value.map(List.of("maximise", "minimise")).entrySet().iterator().next();
          return Objective.parse(only.getValue().text(), only.getKey().equals("minimise"));
        }
        return Objective.parse(value.text(), false);
      } catch (SpecException e) {
        throw e;
      } catch (ChartException e) {
        throw value.error(String.valueOf(e.getMessage()));
      }
    }

    Across across() {
      YamlValue value = map.get("across");
      return value == null
          ? Across.MEAN
          : Across.values()[Across.labels().indexOf(value.oneOf("way", Across.labels()))];
    }

    Selection selection() {
      YamlValue value = map.get("select");
      return value == null ? Selection.BEST : selection(value);
    }

    static Selection selection(YamlValue value) {
      return Selection.values()[
          Selection.labels().indexOf(value.oneOf("selection", Selection.labels()))];
    }

    Search search() {
      YamlValue value = map.get("search");
      if (value == null) {
        return Search.ALL;
      }
      YamlValue settings = value;
      String name;
      if (value.isMap()) {
        var only = value.map(Search.Method.labels()).entrySet().iterator().next();
        name = only.getKey();
        settings = only.getValue();
      } else {
        name = value.oneOf("search", Search.Method.labels());
      }
      Search.Method method = Search.Method.values()[Search.Method.labels().indexOf(name)];
      Map<String, YamlValue> numbers =
          settings.isMap()
              ? settings.map(List.of("budget", "seed", "factor", "generation"))
              : Map.of();
      int budget = method == Search.Method.ALL ? Integer.MAX_VALUE : USUAL_BUDGET;
      return new Search(
          method,
          whole(numbers.get("budget"), 1, budget),
          method == Search.Method.EVOLUTION
              ? whole(numbers.get("generation"), 4, USUAL_GENERATION)
              : whole(numbers.get("factor"), 2, 3),
          whole(numbers.get("seed"), 0, 1));
    }

    private static int whole(@Nullable YamlValue value, int least, int otherwise) {
      return value == null ? otherwise : value.whole(least);
    }

    Space space() {
      Space free = new Space(quantities.parameters(), List.of());
      YamlValue where = map.get("where");
      if (where == null) {
        return free;
      }
      List<Expression> constraints = new ArrayList<>();
      for (YamlValue item : where.itemsOrSelf()) {
        try {
          constraints.add(Expression.parse(item.text(), free.names()));
        } catch (SpecException e) {
          throw e;
        } catch (ChartException e) {
          throw item.error(String.valueOf(e.getMessage()));
        }
      }
      return new Space(quantities.parameters(), constraints);
    }
  }
}
