package dev.imker.core.matching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.Platform;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformMatchTest {
  private static final Platform NODE =
      new Platform(
          "linux",
          "6.1",
          "amd64",
          "host",
          8,
          1,
          16L << 30,
          100L << 30,
          4000,
          Map.of("java", "25.0.1", "python", "3.11.2"),
          Set.of("lab", "fast"));

  @Test
  void no_alternatives_match_any_node() {
    assertThat(PlatformMatch.matches(Requirements.ANY, NODE)).isTrue();
  }

  @Test
  void every_part_of_a_need_must_be_met() {
    assertThat(matches(need("Linux", "amd64", 8, 1, 16, "lab"))).isTrue();
    assertThat(matches(need("windows", "amd64", 8, 1, 16, "lab"))).isFalse();
    assertThat(matches(need("linux", "aarch64", 8, 1, 16, "lab"))).isFalse();
    assertThat(matches(need("linux", "amd64", 9, 1, 16, "lab"))).isFalse();
    assertThat(matches(need("linux", "amd64", 8, 2, 16, "lab"))).isFalse();
    assertThat(matches(need("linux", "amd64", 8, 1, 17, "lab"))).isFalse();
    assertThat(matches(need("linux", "amd64", 8, 1, 16, "other"))).isFalse();
  }

  @Test
  void a_line_must_suit_what_is_to_be_fetched_unless_nobody_has_measured_it() {
    Need large = new Need(Set.of(), Set.of(), 0, 0, 0, 0, Set.of(), Map.of(), 6 << 20);
    Requirements needs = new Requirements(List.of(large));
    assertThat(PlatformMatch.matches(needs, NODE)).isTrue();
    assertThat(PlatformMatch.matches(needs, withLine(20 << 20))).isTrue();
    assertThat(PlatformMatch.matches(needs, withLine(5 << 20))).isFalse();
    assertThat(UnmetNeeds.of(needs, withLine(5 << 20)))
        .containsExactly("needs a connection for inputs of 6 MB, has one for 5 MB");
  }

  private static Platform withLine(long largestDownloadBytes) {
    return new Platform(
        NODE.os(),
        NODE.osVersion(),
        NODE.arch(),
        NODE.hostName(),
        NODE.cores(),
        NODE.gpus(),
        NODE.memoryBytes(),
        NODE.diskBytes(),
        NODE.benchmarkMillis(),
        NODE.runtimes(),
        NODE.labels(),
        NODE.facts(),
        largestDownloadBytes,
        NODE.resources());
  }

  @Test
  void one_of_the_alternatives_is_enough() {
    Need bad = need("windows", "amd64", 1, 0, 0, "lab");
    Need good = need("linux", "amd64", 1, 0, 0, "lab");
    assertThat(PlatformMatch.matches(new Requirements(List.of(bad, good)), NODE)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          java   | >=21        | true
          java   | 25          | true
          java   | 25.0        | true
          java   | 2           | false
          java   | <25         | false
          java   | >25         | true
          java   | >=21 <26    | true
          java   | >=21, <25   | false
          java   | >= 21       | true
          java   | =25.0.1     | true
          java   | *           | true
          python | >=3.8       | true
          python | >=3.12      | false
          python | <=3.11.2    | true
          perl   | *           | false
          """)
  void runtimes_are_compared_by_version(String runtime, String range, boolean expected) {
    Need need = new Need(Set.of(), Set.of(), 0, 0, 0, 0, Set.of(), Map.of(runtime, range));
    assertThat(matches(need)).isEqualTo(expected);
  }

  private static boolean matches(Need need) {
    return PlatformMatch.matches(new Requirements(List.of(need)), NODE);
  }

  private static Need need(
      String os, String arch, int cores, int gpus, long memoryGb, String label) {
    return new Need(
        Set.of(os), Set.of(arch), cores, gpus, memoryGb << 30, 0, Set.of(label), Map.of());
  }
}
