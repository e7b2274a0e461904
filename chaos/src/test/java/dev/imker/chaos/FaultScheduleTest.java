package dev.imker.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultScheduleTest {
  private static List<Fault> first(int count, long seed) {
    FaultSchedule schedule = new FaultSchedule(seed);
    return Stream.generate(schedule::next).limit(count).toList();
  }

  @Test
  void the_same_seed_makes_the_same_schedule() {
    assertThat(first(500, 42)).isEqualTo(first(500, 42)).isNotEqualTo(first(500, 43));
  }

  @Test
  void everything_happens_sooner_or_later() {
    Set<FaultKind> seen = EnumSet.noneOf(FaultKind.class);
    first(5000, 1).forEach(fault -> seen.add(fault.kind()));
    assertThat(seen).containsExactlyInAnyOrder(FaultKind.values());
  }

  @Test
  void only_what_is_wanted_happens_and_in_peace() {
    FaultSchedule schedule = new FaultSchedule(1, EnumSet.of(FaultKind.KILL_LEADER), false, 5_000);
    assertThat(Stream.generate(schedule::next).limit(50))
        .allSatisfy(fault -> assertThat(fault.kind()).isEqualTo(FaultKind.KILL_LEADER))
        .allSatisfy(fault -> assertThat(fault.afterMillis()).isGreaterThan(5_000));
  }

  @Test
  void a_hung_leader_hangs_for_longer_than_it_takes_to_replace_it() {
    assertThat(first(5000, 1))
        .filteredOn(fault -> fault.kind() == FaultKind.STOP_LEADER)
        .allSatisfy(fault -> assertThat(fault.lastsMillis()).isGreaterThanOrEqualTo(9_000));
  }
}
