package dev.imker.charts.spec;

import dev.imker.charts.ChartException;
import dev.imker.charts.market.CsvMarkets;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.SyntheticMarkets;
import dev.imker.charts.market.TableText;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Fetches the candles an analysis asks for. */
public final class MarketLoader {
  private final Path base;
  private final boolean confined;
  private final Function<String, Path> dataSets;

  /**
   * @param base what the file's paths are relative to
   * @param confined whether paths that lead out of the base are refused
   * @param dataSets the folder of a named data set; throws ChartException for unknown names
   */
  public MarketLoader(Path base, boolean confined, Function<String, Path> dataSets) {
    this.base = base.toAbsolutePath().normalize();
    this.confined = confined;
    this.dataSets = dataSets;
  }

  /** For one machine: any path, no data sets. */
  public static MarketLoader local(Path base) {
    return new MarketLoader(
        base,
        false,
        name -> {
          throw new ChartException(
              "The data set '%s' is stored on a server; here, use data.files or data.folder."
                  .formatted(name));
        });
  }

  public List<Market> load(DataSpec data) {
    DataSpec.Synthetic synthetic = data.synthetic();
    List<Market> markets =
        synthetic != null
            ? SyntheticMarkets.generate(
                synthetic.markets(), synthetic.years(), synthetic.seed(), synthetic.model())
            : files(data).stream().map(file -> CsvMarkets.read(file, data.dialect())).toList();
    checkNames(markets);
    return markets.stream().map(market -> cut(market, data)).toList();
  }

  /**
   * Those of the made-up markets that are called so; the others are not made.
   *
   * @param data of made-up markets
   */
  public static List<Market> synthetic(DataSpec data, Set<String> names) {
    DataSpec.Synthetic synthetic = Objects.requireNonNull(data.synthetic());
    return SyntheticMarkets.generate(
            synthetic.markets(),
            synthetic.years(),
            synthetic.seed(),
            synthetic.model(),
            names::contains)
        .stream()
        .map(market -> cut(market, data))
        .toList();
  }

  /** The part of a market that the analysis looks at. */
  public static Market cut(Market market, DataSpec data) {
    Market cut = market;
    if (data.from() != null || data.to() != null) {
      cut =
          cut.between(
              Objects.requireNonNullElse(data.from(), LocalDate.MIN),
              Objects.requireNonNullElse(data.to(), LocalDate.MAX));
    }
    if (data.session() != null) {
      cut = cut.within(data.session());
    }
    return data.bars() == null ? cut : data.bars().of(cut);
  }

  private static void checkNames(List<Market> markets) {
    Set<String> names = new HashSet<>();
    for (Market market : markets) {
      if (!names.add(market.name())) {
        throw new ChartException(
            "Two files are named '%s'; markets need different names.".formatted(market.name()));
      }
    }
  }

  /** The files an analysis reads, in the order of their names. */
  public List<Path> files(DataSpec data) {
    List<Path> files = new ArrayList<>();
    String set = data.set();
    if (set != null) {
      files.addAll(tables(dataSets.apply(set)));
    }
    for (String written : data.files()) {
      files.addAll(expand(written));
    }
    return files;
  }

  private List<Path> expand(String written) {
    int pattern = firstWildcard(written);
    if (pattern >= 0) {
      int slash = written.lastIndexOf('/', pattern);
      Path folder = resolve(slash < 0 ? "." : written.substring(0, slash));
      return inFolder(folder, written.substring(slash + 1));
    }
    Path path = resolve(written);
    if (Files.isDirectory(path)) {
      return tables(path);
    }
    if (!Files.exists(path)) {
      throw new ChartException("There is no file " + path + " (data.files: " + written + ").");
    }
    return List.of(path);
  }

  private static int firstWildcard(String written) {
    for (int i = 0; i < written.length(); i++) {
      if ("*?{[".indexOf(written.charAt(i)) >= 0) {
        return i;
      }
    }
    return -1;
  }

  private Path resolve(String written) {
    Path path = base.resolve(written).normalize();
    if (confined && !path.startsWith(base)) {
      throw new ChartException(
          "The path '" + written + "' points outside the folder of the analysis.");
    }
    return path;
  }

  private static List<Path> tables(Path folder) {
    return inFolder(
        folder,
        file -> TableText.isTable(String.valueOf(file.getFileName())),
        "is a table (.csv, .txt, .tsv, any of them with .gz, .xlsx)");
  }

  private static List<Path> inFolder(Path folder, String pattern) {
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    return inFolder(folder, file -> matcher.matches(file.getFileName()), "matches " + pattern);
  }

  private static List<Path> inFolder(Path folder, Predicate<Path> wanted, String what) {
    try (Stream<Path> entries = Files.list(folder)) {
      List<Path> files = entries.filter(Files::isRegularFile).filter(wanted).sorted().toList();
      if (files.isEmpty()) {
        throw new ChartException("No file in " + folder + " " + what + ".");
      }
      return files;
    } catch (IOException e) {
      throw new ChartException("Cannot list the folder " + folder + ": " + e.getMessage(), e);
    }
  }
}
