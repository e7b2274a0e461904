package dev.imker.model.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.ImkerException;
import java.net.Proxy;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HttpProxiesTest {
  private static Proxy proxy(Map<String, String> environment, String target) {
    return HttpProxies.of(environment).orElseThrow().select(URI.create(target)).getFirst();
  }

  @Test
  void none_is_named_where_the_environment_names_none() {
    assertThat(HttpProxies.of(Map.of("NO_PROXY", "*"))).isEmpty();
    assertThat(HttpProxies.of(Map.of("HTTPS_PROXY", " "))).isEmpty();
  }

  @Test
  void proxy_follows_from_the_scheme_and_the_host() {
    Map<String, String> environment =
        Map.of(
            "https_proxy", "http://one:3128", "HTTP_PROXY", "two", "NO_PROXY", "in.house, .local");
    assertThat(proxy(environment, "https://pool.example:7070").address().toString())
        .contains("one")
        .endsWith("3128");
    assertThat(proxy(environment, "wss://pool.example/x").address().toString()).contains("one");
    assertThat(proxy(environment, "http://pool.example").address().toString())
        .contains("two")
        .endsWith("80");
    for (String direct :
        new String[] {
          "https://in.house",
          "https://a.in.house",
          "https://x.local:7070",
          "https://localhost:1",
          "http://127.0.0.1:7070",
          "http://[::1]:7070"
        }) {
      assertThat(proxy(environment, direct)).as(direct).isEqualTo(Proxy.NO_PROXY);
    }
    assertThat(proxy(environment, "https://notin.house")).isNotEqualTo(Proxy.NO_PROXY);
  }

  @Test
  void password_is_refused_and_not_shown() {
    assertThatThrownBy(() -> HttpProxies.all("http://me:secret@proxy:3128"))
        .isInstanceOf(ImkerException.class)
        .hasMessageNotContaining("secret");
  }
}
