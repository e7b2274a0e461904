package dev.imker.sim.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.imker.sim.Examples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        .hasMessageContaining("bad.xml, line 3, <client>: attribute powr is not known")
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
        .hasMessageContaining("machines: 'benchmrk' is not known here")
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
    assertThatThrownBy(() -> SimFiles.read(file)).hasMessageContaining("is no time of day");
  }

  @Test
  void broken_yaml_is_told() throws IOException {
    Path file = write("pool.yaml", "machines: [");
    assertThatThrownBy(() -> SimFiles.read(file)).hasMessageContaining("not valid YAML");
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
