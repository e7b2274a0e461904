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
        .hasMessageContaining("cut off or damaged");
    assertThatThrownBy(() -> JoinToken.parse("imker-join-djk5fHN8fGh0dHA6Ly9hOjE"))
        .hasMessageContaining("another version");
  }

  @Test
  void a_slip_of_copying_is_noticed_wherever_it_is() {
    String word = TOKEN.encode();
    for (int i = "imker-join-".length(); i < word.length(); i++) {
      String other = word.charAt(i) == 'A' ? "B" : "A";
      assertDamaged(word.substring(0, i) + word.substring(i + 1));
      assertDamaged(word.substring(0, i) + other + word.substring(i + 1));
      assertDamaged(word.substring(0, i) + "x" + word.substring(i));
      assertDamaged(word.substring(0, i));
    }
    assertDamaged(word + "x");
  }

  private static void assertDamaged(String word) {
    try {
      assertThat(JoinToken.parse(word)).as(word).isEqualTo(TOKEN); // unused bits of the last letter
    } catch (ImkerException e) {
      assertThat(e).hasMessageContaining("Copy the whole token").hasMessageNotContaining("s3cret");
    }
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
