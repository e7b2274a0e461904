package dev.imker.cli.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class TopCommandTest {
  private static double rate(String beats) throws Exception {
    return TopCommand.rate(new ObjectMapper().readTree(beats), "done");
  }

  @Test
  void rates_are_those_of_the_last_ten_seconds() throws Exception {
    assertThat(rate("[]")).isZero();
    assertThat(rate("[{\"atMillis\":1000,\"done\":7}]")).isZero();
    assertThat(rate("[{\"atMillis\":1000,\"done\":7},{\"atMillis\":3000,\"done\":10}]"))
        .isEqualTo(1.5);
    StringBuilder beats = new StringBuilder("[{\"atMillis\":0,\"done\":0}");
    for (int i = 1; i <= 10; i++) {
      beats.append(",{\"atMillis\":%d,\"done\":%d}".formatted(i * 2000, i < 5 ? 0 : (i - 5) * 4));
    }
    assertThat(rate(beats.append(']').toString())).isEqualTo(2.0);
  }

  @Test
  void a_server_that_began_anew_has_no_negative_rate() throws Exception {
    assertThat(rate("[{\"atMillis\":1000,\"done\":70},{\"atMillis\":3000,\"done\":1}]")).isZero();
  }
}
