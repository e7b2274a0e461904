package dev.imker.charts.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

class UnitPackerTest {
  private static final int BARS = 10;

  private static List<WorkUnit> packed(int combinations, int mostPerUnit) {
    long[] all = LongStream.range(0, combinations).toArray();
    UnitPacker packer = new UnitPacker(0, (long) mostPerUnit * BARS);
    packer.add("DAX", new Run(Run.Stage.SWEEP, 0, 0, 0, BARS - 1, false, false, all));
    return packer.units();
  }

  @Trials
  void pieces_are_of_the_same_size_and_not_too_large(Generator random) {
    int combinations = random.between(1, 500);
    int mostPerUnit = random.between(1, 60);
    List<WorkUnit> units = packed(combinations, mostPerUnit);
    long[] sizes = units.stream().mapToLong(unit -> unit.steps() / BARS).sorted().toArray();
    assertThat(sizes).hasSize(Math.ceilDiv(combinations, mostPerUnit));
    assertThat(sizes[sizes.length - 1]).isLessThanOrEqualTo(mostPerUnit);
    assertThat(sizes[sizes.length - 1] - sizes[0]).isLessThanOrEqualTo(1);
  }

  @Trials
  void no_combination_is_lost_or_done_twice(Generator random) {
    int combinations = random.between(1, 500);
    int mostPerUnit = random.between(1, 60);
    long[] packed =
        packed(combinations, mostPerUnit).stream()
            .flatMap(unit -> unit.runs().stream())
            .flatMapToLong(run -> Arrays.stream(run.combinations()))
            .toArray();
    assertThat(packed).isEqualTo(LongStream.range(0, combinations).toArray());
  }
}
