package dev.imker.charts.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class UnitPackerTest {
  private static final int BARS = 10;

  private static List<WorkUnit> packed(int combinations, int mostPerUnit) {
    long[] all = LongStream.range(0, combinations).toArray();
    UnitPacker packer = new UnitPacker(0, (long) mostPerUnit * BARS);
    packer.add("DAX", new Run(Run.Stage.SWEEP, 0, 0, 0, BARS - 1, false, false, all));
    return packer.units();
  }

  @Property
  void pieces_are_of_the_same_size_and_not_too_large(
      @ForAll @IntRange(min = 1, max = 500) int combinations,
      @ForAll @IntRange(min = 1, max = 60) int mostPerUnit) {
    List<WorkUnit> units = packed(combinations, mostPerUnit);
    long[] sizes = units.stream().mapToLong(unit -> unit.steps() / BARS).sorted().toArray();
    assertThat(sizes).hasSize(Math.ceilDiv(combinations, mostPerUnit));
    assertThat(sizes[sizes.length - 1]).isLessThanOrEqualTo(mostPerUnit);
    assertThat(sizes[sizes.length - 1] - sizes[0]).isLessThanOrEqualTo(1);
  }

  @Property
  void no_combination_is_lost_or_done_twice(
      @ForAll @IntRange(min = 1, max = 500) int combinations,
      @ForAll @IntRange(min = 1, max = 60) int mostPerUnit) {
    long[] packed =
        packed(combinations, mostPerUnit).stream()
            .flatMap(unit -> unit.runs().stream())
            .flatMapToLong(run -> Arrays.stream(run.combinations()))
            .toArray();
    assertThat(packed).isEqualTo(LongStream.range(0, combinations).toArray());
  }
}
