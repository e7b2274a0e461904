package dev.imker.charts.pool;

import dev.imker.charts.ChartException;
import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.study.ChartJson;
import dev.imker.charts.study.Study;
import dev.imker.charts.study.WorkUnit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * How an analysis is done by a pool. Every task of it gets the same plan and finds its own part by
 * itself.
 *
 * @param file name of the analysis file, for messages
 * @param text its content
 * @param files names of the files with candles, which the markets are named after; none if made up
 * @param markets what is known of those that are traded
 * @param stepsPerUnit size of a unit of work
 */
public record PoolPlan(
    int version,
    String file,
    String text,
    List<String> files,
    List<MarketInfo> markets,
    long stepsPerUnit) {
  /**
   * 2: parts are CBOR instead of compressed JSON. 3: with numbers packed in it. 4: alpha, beta. 5:
   * why trades ended. 6: which market was traded. 7: dividends; columns of figures, compressed.
   */
  private static final int VERSION = 7;

  /** Enough units to keep many machines busy, as long as they are not too small to be worth it. */
  private static final long WANTED_UNITS = 32;

  /**
   * A task begins with two seconds or so of a core for the start of Java and the compiling of what
   * is used often; these are four times as much.
   */
  private static final long MIN_STEPS_PER_UNIT = 4 * Study.USUAL_STEPS_PER_UNIT;

  /** With more, a task takes much memory, and much is lost with it. */
  private static final long MAX_STEPS_PER_UNIT = 2 * MIN_STEPS_PER_UNIT;

  public PoolPlan {
    files = List.copyOf(files);
    markets = List.copyOf(markets);
    if (version != VERSION) {
      throw new ChartException(
          "The plan of the analysis has version %d, but this version of Imker supports %d; update it."
              .formatted(version, VERSION));
    }
  }

  /** A plan with units of a fitting size. */
  public static PoolPlan of(
      String file, String text, List<String> files, List<MarketInfo> markets) {
    PoolPlan coarse = new PoolPlan(VERSION, file, text, files, markets, Study.USUAL_STEPS_PER_UNIT);
    long steps = steps(coarse.study().round(0, List.of()));
    int tasks = coarse.analysis().tasks();
    if (tasks > 0) {
      return coarse.withStepsPerUnit(Math.max(1, Math.ceilDiv(steps, tasks)));
    }
    long perUnit = Math.clamp(steps / WANTED_UNITS, MIN_STEPS_PER_UNIT, MAX_STEPS_PER_UNIT);
    return coarse.withStepsPerUnit(perUnit);
  }

  public PoolPlan withStepsPerUnit(long value) {
    return new PoolPlan(version, file, text, files, markets, value);
  }

  public Analysis analysis() {
    return AnalysisReader.parse(file, text);
  }

  Study study() {
    return study(analysis());
  }

  /**
   * @param read what {@link #analysis()} gave
   */
  Study study(Analysis read) {
    return new Study(read, markets, stepsPerUnit);
  }

  private static long steps(List<WorkUnit> units) {
    return units.stream().mapToLong(WorkUnit::steps).sum();
  }

  // ---------------------------------------------------------------- chunks

  /** Some units of a round, for one task. */
  public record Chunk(List<WorkUnit> units) {
    public Chunk {
      units = List.copyOf(units);
    }

    public long steps() {
      return PoolPlan.steps(units);
    }
  }

  /** Units that belong together, in their order, so that each chunk has about the same size. */
  List<Chunk> chunks(List<WorkUnit> units) {
    List<Chunk> chunks = new ArrayList<>();
    List<WorkUnit> open = new ArrayList<>();
    for (int i = 0; i < units.size(); ) {
      List<WorkUnit> together = units.subList(i, i + units.get(i).together());
      if (!open.isEmpty() && steps(open) + steps(together) > stepsPerUnit) {
        chunks.add(new Chunk(open));
        open = new ArrayList<>();
      }
      open.addAll(together);
      i += together.size();
    }
    if (!open.isEmpty()) {
      chunks.add(new Chunk(open));
    }
    return chunks;
  }

  /**
   * The chunks of the rounds that are worth spreading. The units of later rounds depend on results;
   * only their sizes are known before. One chunk at a time is not worth it: then there is no round.
   */
  public List<List<Chunk>> rounds() {
    List<List<Chunk>> rounds = new ArrayList<>();
    for (List<WorkUnit> units : study().foreseen()) {
      rounds.add(chunks(units));
    }
    return rounds.stream().allMatch(round -> round.size() <= 1) ? List.of() : rounds;
  }

  // ---------------------------------------------------------------- as text

  /** One word that fits into an environment variable. */
  public String encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(ChartJson.write(this).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new ChartException("Cannot write the plan: " + e.getMessage(), e);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.toByteArray());
  }

  public static PoolPlan decode(String word) {
    byte[] bytes = Base64.getUrlDecoder().decode(word);
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      String json = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return ChartJson.read(json, PoolPlan.class);
    } catch (IOException e) {
      throw new ChartException("Cannot read the plan: " + e.getMessage(), e);
    }
  }
}
