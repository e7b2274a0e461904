package dev.imker.server.internal.rest.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.jobfile.JobFileReader;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.Platform;
import dev.imker.model.job.JobSpec;
import dev.imker.server.http.ApiException;
import dev.imker.server.internal.rest.nodes.NodeDirectory.Machine;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolOfferTest {
  private static final PoolOffer POOL =
      new PoolOffer(
          List.of(
              machine("lab-1", 4, 0, 8L << 30, Map.of("fpga", Platform.Resource.of(1))),
              machine("lab-3", 16, 2, 4L << 30, Map.of())),
          Map.of("matlab", 3.0));

  private static Machine machine(
      String name, int cores, int gpus, long memory, Map<String, Platform.Resource> resources) {
    return new Machine(
        name,
        new Platform(
            "linux",
            "",
            "x86_64",
            name,
            cores,
            gpus,
            memory,
            100L << 30,
            0,
            Map.of(),
            Set.of(),
            Map.of(),
            0,
            resources));
  }

  private static JobSpec job(String needs) {
    return JobFileReader.read("job.yaml", "command: x\nneeds: " + needs, JobFiles.unknown())
        .orThrow()
        .getFirst()
        .spec();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          {cores: 64}             | No machine has 64 cores; the largest, lab-3, has 16. The job waits until one joins.
          {gpus: 3}               | No machine has 3 GPUs; the largest, lab-3, has 2. The job waits until one joins.
          {memory: 10 GB}         | No machine has 10.0 GB of memory; the largest, lab-1, has 8.0 GB. The job waits until one joins.
          {resources: {fpga: 2}}  | No machine has 2 fpga; the largest, lab-1, has 1. The job waits until one joins.
          {os: windows}           | No machine can run it; the nearest, lab-1, needs os windows, has linux. The job waits until one joins.
          {cores: 8, memory: 6 GB} | No machine can run it; the nearest, lab-1, needs 8 cores, has 4. The job waits until one joins.
          {any-of: [{gpus: 4}, {cores: 99}]} | No machine has 4 GPUs; the largest, lab-3, has 2. The job waits until one joins.
          """)
  void what_no_machine_has_is_told_with_the_nearest(String needs, String warning) {
    assertThat(POOL.warnings(job(needs))).containsExactly(warning);
  }

  @Test
  void nothing_at_all_is_not_compared() {
    PoolOffer pool = new PoolOffer(List.of(machine("pc", 2, 0, 1L << 30, Map.of())), Map.of());
    assertThat(pool.warnings(job("{gpus: 1}")))
        .containsExactly("No machine has any GPUs. The job waits until one joins.");
  }

  @Test
  void what_fits_somewhere_gives_no_warning() {
    assertThat(POOL.warnings(job("{cores: 16}"))).isEmpty();
    assertThat(POOL.warnings(job("{any-of: [{gpus: 4}, {cores: 2}]}"))).isEmpty();
    assertThat(POOL.warnings(job("{cores: all, resources: {fpga: 1}}"))).isEmpty();
    assertThat(new PoolOffer(List.of(), Map.of()).warnings(job("{cores: 64}"))).isEmpty();
  }

  @Test
  void a_job_for_which_nobody_has_the_resource_is_refused() {
    assertThatThrownBy(() -> POOL.requireKnownResources(job("{resources: {fgpa: 1}}")))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("Nobody has 'fgpa'")
        .hasMessageContaining("Did you mean fpga?");
    POOL.requireKnownResources(job("{resources: {fpga: 7, matlab: 9}}"));
    POOL.requireKnownResources(job("{any-of: [{resources: {laser: 1}}, {cores: 2}]}"));
  }
}
