package dev.imker.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.Availability;
import dev.imker.model.NodeId;
import dev.imker.store.AvailabilityRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryReaderTest {
  private static final NodeId NODE = new NodeId("n");
  private final List<AvailabilityRecord> comings = new ArrayList<>();

  private void at(long millis, Availability what) {
    comings.add(new AvailabilityRecord(NODE, what, millis));
  }

  private List<HistoryView.Span> spans() {
    return HistoryReader.spans(comings, 100);
  }

  private static HistoryView.Span span(long from, long to) {
    return new HistoryView.Span(from, to);
  }

  @Test
  void node_is_there_from_its_coming_to_its_going() {
    at(10, Availability.UP);
    at(20, Availability.DOWN);
    at(30, Availability.UP);
    at(40, Availability.LEFT);
    assertThat(spans()).containsExactly(span(10, 20), span(30, 40));
  }

  @Test
  void node_that_never_went_is_there_to_the_end() {
    at(10, Availability.UP);
    assertThat(spans()).containsExactly(span(10, 100));
  }

  @Test
  void restart_of_the_server_does_not_end_an_up_time() {
    at(10, Availability.UP);
    at(50, Availability.BACK);
    assertThat(spans()).containsExactly(span(10, 100));
  }

  @Test
  void node_that_comes_anew_was_away_unnoticed() {
    at(10, Availability.UP);
    at(50, Availability.UP);
    assertThat(spans()).containsExactly(span(10, 50), span(50, 100));
  }

  @Test
  void going_without_coming_tells_nothing() {
    at(10, Availability.DOWN);
    assertThat(spans()).isEmpty();
  }
}
