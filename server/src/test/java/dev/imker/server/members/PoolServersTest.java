package dev.imker.server.members;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testbase.ExpectedLogs;
import java.util.List;
import org.junit.jupiter.api.Test;

@ExpectedLogs("^WARN ")
class PoolServersTest {
  @Test
  void next_address_is_that_of_another_server() {
    assertThat(
            PoolServers.inTurn(
                List.of(List.of("a1", "a2", "a3"), List.of("b1"), List.of("c1", "c2"))))
        .containsExactly("a1", "b1", "c1", "a2", "c2", "a3");
  }

  @Test
  void no_address_comes_twice() {
    assertThat(PoolServers.inTurn(List.of(List.of("a1", "a2"), List.of("a1", "a2"))))
        .containsExactly("a1", "a2");
  }
}
