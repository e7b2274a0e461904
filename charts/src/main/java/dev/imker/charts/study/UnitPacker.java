package dev.imker.charts.study;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts and packs runs into units of about the same, bounded size. */
final class UnitPacker {
  private final int round;
  private final long stepsPerUnit;
  private final List<WorkUnit> units = new ArrayList<>();
  private List<Run> open = new ArrayList<>();
  private String market = "";
  private long openSteps;

  UnitPacker(int round, long stepsPerUnit) {
    this.round = round;
    this.stepsPerUnit = stepsPerUnit;
  }

  /**
   * The same combinations on several markets: units with some of them for each of the markets, all
   * of which together are no larger than one.
   */
  void addTogether(List<String> markets, List<Run> runs) {
    close();
    market = "";
    long stepsOfOne = runs.stream().mapToLong(Run::bars).sum();
    int most = Math.clamp(stepsPerUnit / stepsOfOne, 1, 1 << 30);
    long[] combinations = runs.getFirst().combinations();
    int pieces = Math.ceilDiv(combinations.length, most);
    for (int piece = 0; piece < pieces; piece++) {
      int from = cut(combinations.length, piece, pieces);
      int to = cut(combinations.length, piece + 1, pieces);
      long[] some = Arrays.copyOfRange(combinations, from, to);
      for (int i = 0; i < runs.size(); i++) {
        List<Run> one = List.of(runs.get(i).with(some));
        units.add(new WorkUnit(nextId(), round, markets.get(i), one, i, runs.size()));
      }
    }
  }

  void add(String ofMarket, Run run) {
    if (!ofMarket.equals(market)) {
      close();
      market = ofMarket;
    }
    if (run.isWalk()) {
      addPiece(run);
      return;
    }
    int most = Math.clamp(stepsPerUnit / run.bars(), 1, 1 << 30);
    long[] combinations = run.combinations();
    int pieces = Math.ceilDiv(combinations.length, most);
    for (int piece = 0; piece < pieces; piece++) {
      int from = cut(combinations.length, piece, pieces);
      int to = cut(combinations.length, piece + 1, pieces);
      addPiece(run.with(Arrays.copyOfRange(combinations, from, to)));
    }
  }

  /** Pieces of the same size: a small one at the end would cost a task nearly as much. */
  private static int cut(int length, int piece, int pieces) {
    return (int) ((long) length * piece / pieces);
  }

  private void addPiece(Run piece) {
    if (openSteps + piece.steps() > stepsPerUnit) {
      close();
    }
    open.add(piece);
    openSteps += piece.steps();
  }

  private void close() {
    if (!open.isEmpty()) {
      units.add(new WorkUnit(nextId(), round, market, open));
      open = new ArrayList<>();
      openSteps = 0;
    }
  }

  private String nextId() {
    return "r%d-u%06d".formatted(round, units.size());
  }

  List<WorkUnit> units() {
    close();
    return List.copyOf(units);
  }
}
