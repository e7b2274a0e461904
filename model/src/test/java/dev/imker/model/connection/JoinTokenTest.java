package dev.imker.model.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.ImkerException;
import java.util.List;
import org.junit.jupiter.api.Test;

class JoinTokenTest {
  private static final JoinToken TOKEN =
      new JoinToken(List.of("https://a:7070", "https://b:7070"), "s3cret", "ab".repeat(32));

  @Test
  void what_was_encoded_can_be_parsed_again() {
    assertThat(JoinToken.parse(" " + TOKEN.encode() + "\n")).isEqualTo(TOKEN);
  }

  @Test
  void a_token_without_tls_has_an_empty_fingerprint() {
    JoinToken plain = new JoinToken(List.of("http://127.0.0.1:7070"), "s", "");
    assertThat(JoinToken.parse(plain.encode())).isEqualTo(plain);
  }

  @Test
  void text_that_is_no_token_is_refused_with_the_reason() {
    assertThatThrownBy(() -> JoinToken.parse("hello"))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("does not start with imker-join-");
    assertThatThrownBy(() -> JoinToken.parse("imker-join-%%%"))
        .hasMessageContaining("characters that do not belong there");
  }

  @Test
  void a_cut_token_is_refused_without_showing_the_secret() {
    String cut = TOKEN.encode().substring(0, 30);
    assertThatThrownBy(() -> JoinToken.parse(cut))
        .isInstanceOf(ImkerException.class)
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void printing_a_token_does_not_show_the_secret() {
    assertThat(TOKEN.toString()).doesNotContain("s3cret");
  }
}
