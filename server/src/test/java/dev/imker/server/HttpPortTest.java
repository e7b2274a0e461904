package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.BindException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** Why nobody can listen somewhere, in words. Tests may run as root, who may listen everywhere. */
class HttpPortTest {
  private static String refused(Exception cause) {
    return String.valueOf(HttpPort.refused("pool", 80, cause).getMessage());
  }

  @Test
  void each_reason_is_told_with_what_to_do() {
    assertThat(refused(new BindException("Permission denied")))
        .contains("Not permitted to listen on port 80", "below 1024", "--port N");
    assertThat(refused(new BindException("Cannot assign requested address")))
        .contains("pool is not an address of this machine", "--listen ADDRESS");
    assertThat(refused(new BindException("Address already in use")))
        .contains("Port 80 on pool is used by another program", "--port N");
    assertThat(refused(new UnknownHostException("Failed to resolve")))
        .contains("There is no host 'pool' to listen on", "--listen ADDRESS");
  }
}
