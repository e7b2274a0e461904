package dev.imker.agent.internal.confine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutgoingNetworkTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "127.0.0.53, false", // systemd-resolved; no interface has this very address
    "127.0.0.1, false",
    "::1, false",
    "0.0.0.0, false",
    "192.0.2.1, true",
  })
  void resolver_on_the_machine_itself_does_not_serve_a_task(String address, boolean reachable)
      throws IOException {
    Path resolvers =
        Files.writeString(
            folder.resolve("resolv.conf"), "# by hand\nnameserver " + address + "\nsearch lan\n");
    assertThat(OutgoingNetwork.namesReachable(resolvers)).isEqualTo(reachable);
  }
}
