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

  void add(String ofMarket, Run run) {
    if (!ofMarket.equals(market)) {
      close();
      market = ofMarket;
    }
    int most = Math.clamp(stepsPerUnit / (run.lastBar() - run.firstBar() + 1), 1, 1 << 30);
    long[] combinations = run.combinations();
    for (int from = 0; from < combinations.length; from += most) {
      int to = Math.min(combinations.length, from + most);
      addPiece(run.with(Arrays.copyOfRange(combinations, from, to)));
    }
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
      units.add(new WorkUnit("r%d-u%06d".formatted(round, units.size()), round, market, open));
      open = new ArrayList<>();
      openSteps = 0;
    }
  }

  List<WorkUnit> units() {
    close();
    return List.copyOf(units);
  }
}
