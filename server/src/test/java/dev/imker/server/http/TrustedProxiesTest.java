package dev.imker.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.ImkerException;
import dev.imker.testbase.Attack;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrustedProxiesTest {
  private final TrustedProxies proxies = TrustedProxies.of(List.of("10.0.0.0/8", "::1"));

  @Test
  @Attack("choose one's address")
  void word_of_a_stranger_is_not_believed() {
    assertThat(proxies.client("192.0.2.7", "198.51.100.1", "for=198.51.100.1"))
        .isEqualTo("192.0.2.7");
    assertThat(TrustedProxies.NONE.client("10.1.2.3", "198.51.100.1", "")).isEqualTo("10.1.2.3");
  }

  @Test
  void last_address_that_is_not_of_a_proxy_counts() {
    assertThat(proxies.client("10.1.2.3", "198.51.100.1", "")).isEqualTo("198.51.100.1");
    assertThat(proxies.client("::1", "6.6.6.6, 198.51.100.1, 10.9.9.9", ""))
        .as("what the client wrote itself stands first")
        .isEqualTo("198.51.100.1");
    assertThat(proxies.client("10.1.2.3", "", "for=6.6.6.6, for=\"[2001:db8::1]\";proto=https"))
        .isEqualTo("2001:db8::1");
    assertThat(proxies.client("10.1.2.3", "", "")).isEqualTo("10.1.2.3");
    assertThat(proxies.client("10.1.2.3", "unknown", "")).isEqualTo("10.1.2.3");
  }

  @Test
  @Attack("choose one's address with a header that the proxy forwards")
  void a_client_cannot_choose_its_address_by_the_header_that_its_proxy_does_not_write() {
    assertThat(proxies.client("10.1.2.3", "198.51.100.1", "for=6.6.6.6")).isEqualTo("198.51.100.1");
    assertThat(proxies.client("10.1.2.3", "6.6.6.6,198.51.100.1", ""))
        .as("two lines of the header, joined")
        .isEqualTo("198.51.100.1");
    assertThat(proxies.client("10.1.2.3", "", "for=6.6.6.6, for=_hidden"))
        .as("a proxy that hides its client is not passed over")
        .isEqualTo("10.1.2.3");
  }

  @Test
  void what_is_neither_an_address_nor_a_network_is_refused() {
    for (String wrong : List.of("proxy", "10.0.0.0/33", "10.0.0.0/x", "")) {
      assertThatThrownBy(() -> TrustedProxies.of(List.of(wrong)))
          .as(wrong)
          .isInstanceOf(ImkerException.class);
    }
  }
}
