package dev.imker.sim.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.imker.model.Platform;
import dev.imker.model.job.Requirements;
import dev.imker.sim.Examples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimFilesTest {
  @TempDir Path folder;

  @Test
  void reference_configuration_is_read() {
    SimConfig config = Examples.read("ramp-a.xml");
    assertThat(config.name()).isEqualTo("ramp-a");
    assertThat(config.nodes()).isEqualTo(90);
    assertThat(config.tasks()).isEqualTo(4360);
    assertThat(config.minutes()).isEqualTo(2990);
    assertThat(config.machines().get(4).slowdown()).isEqualTo(3);
    Failures failures = config.machines().get(1).failures();
    assertThat(failures.probability(1, 59)).isZero();
    assertThat(failures.probability(1, 120)).isCloseTo(0.015, within(1e-9));
    assertThat(failures.probability(1, 500)).isEqualTo(0.03);
  }

  @Test
  void wrong_attribute_is_named_with_its_line() throws IOException {
    Path file =
        write(
            "bad.xml", "<simConfig>\n<clients>\n<client cnt='1' powr='4000' fail='0'/></clients>");
    assertThatThrownBy(() -> SimFiles.read(file))
        .isInstanceOf(SimException.class)
        .hasMessageContaining("bad.xml, line 3, <client>: attribute powr is unknown")
        .hasMessageContaining("power");
  }

  @Test
  void wrong_number_is_named() throws IOException {
    Path file = write("bad.xml", "<simConfig><client cnt='x' power='4000' fail='0'/></simConfig>");
    assertThatThrownBy(() -> SimFiles.read(file)).hasMessageContaining("cnt=\"x\" is not a number");
  }

  @Test
  void broken_xml_is_told_with_its_line() throws IOException {
    Path file = write("bad.xml", "<simConfig>\n<clients>");
    assertThatThrownBy(() -> SimFiles.read(file)).hasMessageContaining("not well-formed XML");
  }

  @Test
  void missing_file_and_unknown_ending_are_told() throws IOException {
    assertThatThrownBy(() -> SimFiles.read(folder.resolve("no.xml")))
        .hasMessageContaining("there is no file");
    Path file = write("pool.txt", "");
    assertThatThrownBy(() -> SimFiles.read(file)).hasMessageContaining(".xml or .yaml");
  }

  @Test
  void yaml_pool_is_read() throws IOException {
    Path file =
        write(
            "pool.yaml",
            """
            minutes: 1440
            start: tue 06:00
            lostAfter: 5
            machines:
              - name: desktop
                count: 4
                benchmark: 9000
                failures: {percent: 1, safe: 10, rise: 20}
                busy: {hours: 08:00-18:00, days: mon-fri, factor: 3}
              - away: {hours: 22:00-06:00, days: "sat,sun", jitter: 15}
                failures: {weibull: {shape: 0.8, scale: 500}}
            work:
              - {project: a, user: ann, tasks: 10, minutes: {median: 30, sigma: 0.5}}
              - {project: b, tasks: 5, minutes: 7, at: 60, every: 100, times: 3}
            """);
    SimConfig config = SimFiles.read(file);
    assertThat(config.nodes()).isEqualTo(5);
    assertThat(config.tasks()).isEqualTo(25);
    assertThat(config.arrivals().getLast().afterMinute()).isEqualTo(260);
    assertThat(config.machines().getFirst().slowdown()).isEqualTo(2);
    Failures failures = config.machines().getFirst().failures();
    assertThat(failures.probability(1, 100)).isEqualTo(0.01);
    assertThat(failures.probability(130, 100)).isEqualTo(0.03);
    Absence away = Objects.requireNonNull(config.machines().getLast().away());
    int saturdayNight = 4 * WeekHours.DAY + 17 * 60;
    assertThat(away.contains(saturdayNight)).isTrue();
    assertThat(away.contains(saturdayNight + 6 * 60)).isTrue();
    assertThat(away.contains(saturdayNight - WeekHours.DAY)).isFalse();
  }

  @Test
  void unknown_key_is_named_with_its_place() throws IOException {
    Path file =
        write(
            "pool.yaml",
            """
            minutes: 10
            machines: {count: 1, benchmrk: 5}
            work: {project: a, tasks: 1, minutes: 1}
            """);
    assertThatThrownBy(() -> SimFiles.read(file))
        .hasMessageContaining("machines: 'benchmrk' is unknown")
        .hasMessageContaining("benchmark");
  }

  @Test
  void missing_number_is_named_with_its_place() throws IOException {
    Path file =
        write(
            "pool.yaml",
            "minutes: 10\nmachines: {count: 1}\nwork:\n  - {project: a, minutes: 1}\n");
    assertThatThrownBy(() -> SimFiles.read(file))
        .hasMessageContaining("work[1].tasks: is missing; expected a number from 1");
  }

  @Test
  void wrong_hours_are_told() throws IOException {
    Path file =
        write(
            "pool.yaml",
            """
            minutes: 10
            machines: {away: {hours: 9-17}}
            work: {project: a, tasks: 1, minutes: 1}
            """);
    assertThatThrownBy(() -> SimFiles.read(file)).hasMessageContaining("is not a time of day");
  }

  @Test
  void broken_yaml_is_told() throws IOException {
    Path file = write("pool.yaml", "machines: [");
    assertThatThrownBy(() -> SimFiles.read(file)).hasMessageContaining("not valid YAML");
  }

  @Test
  void amounts_say_the_same_in_xml_and_yaml() throws IOException {
    SimConfig xml =
        SimFiles.read(
            write(
                "pool.xml",
                """
                <simConfig>
                  <pool resources="licence=5"/>
                  <client cnt="1" power="4000" fail="0" cores="16" memory="64 GB" disk="1 TB"
                      gpus="2" resources="fpga=2 camera=[left, right]"/>
                  <step cnt="1" jobtype="a" jobduration="1" steps="1" cores="0.5" memory="512 MB"
                      gpus="0.5" resources="fpga=1 licence=2"/>
                  <step cnt="1" jobtype="b" jobduration="1" steps="1" cores="all"/>
                  <step cnt="1" jobtype="c" jobduration="1" steps="1" cores="1"/>
                </simConfig>
                """));
    SimConfig yaml =
        SimFiles.read(
            write(
                "pool.yaml",
                """
                minutes: 10
                resources: {licence: 5}
                machines:
                  - {name: client1, cores: 16, memory: 64 GB, disk: 1 TB, gpus: 2,
                     resources: {fpga: 2, camera: [left, right]}}
                work:
                  - {project: a, tasks: 1, minutes: 1,
                     needs: {cores: 0.5, memory: 512 MB, gpus: 0.5, resources: {fpga: 1, licence: 2}}}
                  - {project: b, tasks: 1, minutes: 1, needs: {cores: all}}
                  - {project: c, tasks: 1, minutes: 1}
                """));
    assertThat(xml.hasAmounts()).isTrue();
    Platform platform = xml.machines().getFirst().platform();
    assertThat(platform.cores()).isEqualTo(16);
    assertThat(platform.memoryBytes()).isEqualTo(64L << 30);
    assertThat(platform.resources().get("camera"))
        .isEqualTo(Platform.Resource.of(List.of("left", "right")));
    assertThat(yaml.machines().getFirst().platform()).isEqualTo(platform);
    assertThat(yaml.resources())
        .isEqualTo(xml.resources())
        .containsExactly(Map.entry("licence", 5.0));
    assertThat(yaml.arrivals())
        .extracting(Arrival::needs)
        .isEqualTo(xml.arrivals().stream().map(Arrival::needs).toList());
    Requirements.Need need = xml.arrivals().getFirst().needs().alternatives().getFirst();
    assertThat(need.gpus()).isEqualTo(0.5);
    assertThat(need.resources())
        .containsExactlyInAnyOrderEntriesOf(Map.of("fpga", 1.0, "licence", 2.0));
    assertThat(xml.arrivals().get(1).needs().alternatives().getFirst().wholeMachine()).isTrue();
    assertThat(xml.arrivals().getLast().needs()).isEqualTo(Requirements.ANY);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cores='0'            |                     | line 2, <client>: cores: expected a number",
        "cores='1.5'          |                     | line 2, <client>: cores: a machine must have"
            + " a whole number",
        "cores='all'          |                     | line 2, <client>: cores: expected a number",
        "memory='much'        |                     | line 2, <client>: memory: expected a size"
            + " such as 512 MB",
        "gpus='-1'            |                     | line 2, <client>: gpus: expected a number",
        "resources='fpga'     |                     | line 2, <client>: resources: expected names"
            + " with amounts",
        "resources='cores=2'  |                     | line 2, <client>: resources: 'cores' is not"
            + " a valid resource name",
        "resources='a=[x,x]'  |                     | line 2, <client>: resources: expected an"
            + " amount such as 2",
        "core='4'             |                     | line 2, <client>: attribute core is"
            + " unknown; use [cnt, cores",
        "cores='4'            | cores='0.001'       | line 3, <step>: cores: expected a number",
        "gpus='4'             | gpus='1.5'          | line 3, <step>: gpus: only an amount below 1",
        "resources='a=[x]'    | resources='a=[x]'   | line 3, <step>: resources: only a machine has"
            + " named items",
        "cores='4'            | cores='8'           | line 3, <step>: no machine could ever run it:"
            + " client1 needs 8 cores, has 4",
        "                     | memory='1 GB'       | line 3, <step>: no machine could ever run it:"
            + " client1 needs 1.0 GB of memory, has 0.0 GB",
        "                     | resources='licence=1' | line 3, <step>: no machine could ever run"
            + " it: client1 needs 1 licence, has 0",
      })
  void wrong_amount_is_named_with_its_line(String machine, String needs, String message)
      throws IOException {
    Path file =
        write(
            "bad.xml",
            "<simConfig>\n<client cnt='1' power='4000' fail='0' %s/>\n"
                    .formatted(Objects.requireNonNullElse(machine, ""))
                + "<step cnt='1' jobtype='a' jobduration='1' steps='1' %s/></simConfig>"
                    .formatted(Objects.requireNonNullElse(needs, "")));
    assertThatThrownBy(() -> SimFiles.read(file))
        .isInstanceOf(SimException.class)
        .hasMessageContaining("bad.xml, " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "memory: much   | {}               | machines.memory: expected a size such as 512 MB or 4"
            + " GB, got 'much'",
        "resources: 2   | {}               | machines.resources: expected names with amounts",
        "cores: 2       | {core: 1}        | work.needs: 'core' is unknown; use [cores",
        "cores: 2       | {cores: 4}       | work.needs: no machine could ever run it: machines1"
            + " needs 4 cores, has 2",
      })
  void wrong_amount_is_named_with_its_place(String machine, String needs, String message)
      throws IOException {
    Path file =
        write(
            "pool.yaml",
            "minutes: 10\nmachines: {%s}\nwork: {project: a, tasks: 1, minutes: 1, needs: %s}\n"
                .formatted(machine, needs));
    assertThatThrownBy(() -> SimFiles.read(file))
        .isInstanceOf(SimException.class)
        .hasMessageContaining("pool.yaml: " + message);
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
