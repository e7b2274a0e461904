package dev.imker.cli.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.ImkerException;
import dev.imker.server.simulation.PoolSimulator.Order;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What anybody may ask of a server's simulator must not cost it its memory or its time. */
class PageSimulatorTest {
  private static final String ONE_MACHINE = "machines: [{name: m, count: 1}]\n";

  private static Order order(String text) {
    return new Order("yaml", text, null, List.of("balanced"), 2);
  }

  private static String work(int projects) {
    return IntStream.range(0, projects)
        .mapToObj(i -> "  - {project: p" + i + ", tasks: 1, minutes: 5}\n")
        .collect(Collectors.joining("", "work:\n", ""));
  }

  @Test
  void curves_that_would_fill_the_memory_are_refused() {
    assertThatThrownBy(
            () ->
                new PageSimulator()
                    .run(order("minutes: 10000000\n" + ONE_MACHINE + work(30)), () -> false))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("30 projects over 10000000 minutes are too much for the page")
        .hasMessageContaining("imker sim");
  }

  @Test
  void machines_are_counted_beyond_what_an_int_holds() {
    String machines =
        IntStream.range(0, 4_295)
            .mapToObj(i -> "  - {name: m" + i + ", count: 999993}\n")
            .collect(Collectors.joining("", "machines:\n", ""));
    assertThatThrownBy(
            () -> new PageSimulator().run(order("minutes: 10\n" + machines + work(1)), () -> false))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("too many for the page");
  }

  @Test
  void a_run_ends_in_the_middle_when_its_time_is_over() {
    AtomicInteger asked = new AtomicInteger();
    assertThatThrownBy(
            () ->
                new PageSimulator()
                    .run(
                        order("minutes: 100000\n" + ONE_MACHINE + work(1)),
                        () -> asked.incrementAndGet() == 3))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("longer than a minute");
    assertThat(asked).hasValue(3);
  }
}
