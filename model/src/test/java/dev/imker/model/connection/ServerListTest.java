package dev.imker.model.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerListTest {
  private final ServerList servers = new ServerList(List.of("http://a:1/", "http://b:1"));

  @Test
  void one_that_does_not_answer_is_followed_by_the_next() {
    assertThat(servers.current()).isEqualTo("http://a:1");
    servers.leave("http://a:1");
    assertThat(servers.current()).isEqualTo("http://b:1");
    servers.leave("http://b:1");
    assertThat(servers.current()).isEqualTo("http://a:1");
  }

  @Test
  void two_who_leave_the_same_one_go_on_by_one() {
    servers.leave("http://a:1");
    servers.leave("http://a:1");
    assertThat(servers.current()).isEqualTo("http://b:1");
  }

  @Test
  void leader_is_gone_to_even_if_it_was_not_known() {
    servers.goTo("http://c:1/");
    assertThat(servers.current()).isEqualTo("http://c:1");
    servers.learn(List.of("http://b:1", " http://d:1 ", ""));
    assertThat(servers.current()).isEqualTo("http://c:1");
    assertThat(servers.all())
        .containsExactly("http://a:1", "http://b:1", "http://c:1", "http://d:1");
  }

  @Test
  void single_server_is_its_own_next() {
    ServerList one = new ServerList(List.of("http://a:1"));
    one.leave("http://a:1");
    assertThat(one.current()).isEqualTo("http://a:1");
    assertThat(one.hasSeveral()).isFalse();
    assertThatThrownBy(() -> new ServerList(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
