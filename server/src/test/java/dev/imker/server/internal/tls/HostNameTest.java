package dev.imker.server.internal.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HostNameTest {
  private final InetAddress bridge = address("172.17.0.1");
  private final InetAddress six = address("fd00::2");
  private final InetAddress lan = address("192.0.2.7");

  @Test
  void the_address_that_packets_leave_from_comes_first() {
    assertThat(HostName.farthestFirst(List.of(bridge, six, lan), Optional.of(lan)))
        .extracting(HostName::text)
        .containsExactly("192.0.2.7", "172.17.0.1", "fd00:0:0:0:0:0:0:2");
    assertThat(HostName.farthestFirst(List.of(bridge, six), Optional.of(six)))
        .extracting(HostName::text)
        .containsExactly("fd00:0:0:0:0:0:0:2", "172.17.0.1");
  }

  @Test
  void without_a_way_out_what_every_machine_speaks_comes_first() {
    assertThat(HostName.farthestFirst(List.of(six, bridge, lan), Optional.empty()))
        .extracting(HostName::text)
        .containsExactly("172.17.0.1", "192.0.2.7", "fd00:0:0:0:0:0:0:2");
  }

  private static InetAddress address(String text) {
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }
}
