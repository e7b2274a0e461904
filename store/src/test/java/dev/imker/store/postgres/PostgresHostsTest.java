package dev.imker.store.postgres;

import static dev.imker.store.Samples.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.store.PostgresDatabases;
import dev.imker.store.StoreException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Addresses with several hosts. */
class PostgresHostsTest {
  private final String url = PostgresDatabases.fresh();
  private final String address = "localhost:" + URI.create(url.substring(5)).getPort();

  private String withHosts(String hosts) {
    assertThat(url).contains("//" + address + "/");
    return url.replace("//" + address + "/", "//" + hosts + "/");
  }

  @Test
  void host_that_lets_connect_and_then_says_nothing_is_passed_over() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      String both =
          withHosts("127.0.0.1:" + silent.getLocalPort() + "," + address)
              + "&sslmode=disable&socketTimeout=1";
      try (PostgresStore store = PostgresStore.open(both)) {
        store.beginEpoch();
        store.commit(List.of(job(1, "a", 1)));
        assertThat(store.lastJobId()).isEqualTo(1);
      }
    }
  }

  @Test
  void all_hosts_are_named_when_none_can_be_reached() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closed = socket.getLocalPort();
    }
    String none = withHosts("127.0.0.1:" + closed + ",[::1]:" + closed);
    assertThatThrownBy(() -> PostgresStore.open(none))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("127.0.0.1:" + closed + ": ")
        .hasMessageContaining("[::1]:" + closed + ": ")
        .matches(PostgresStore::isAway);
  }

  @Test
  void wrong_name_of_the_database_is_an_error_at_every_host() {
    String wrong =
        withHosts(address + "," + address).replaceFirst("/pool\\d+", "/no_such_database");
    assertThatThrownBy(() -> PostgresStore.open(wrong))
        .hasMessageContaining("no_such_database")
        .matches(failure -> !PostgresStore.isAway(failure));
  }
}
