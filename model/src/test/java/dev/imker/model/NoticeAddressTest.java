package dev.imker.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.validation.JobValidator;
import org.junit.jupiter.api.Test;

/** Addresses end up in an index, which takes a limited number of bytes. */
final class NoticeAddressTest {
  private static final String FOUR_BYTES = "\uD83D\uDC1D";

  @Test
  void web_hooks_are_visible_ascii_of_a_limited_length() {
    assertThat(JobValidator.isWebHook("https://example.org/hook?a=b&c=%20d")).isTrue();
    assertThat(JobValidator.isWebHook("https://" + "x".repeat(1_000))).isTrue();
    assertThat(JobValidator.isWebHook("https://" + "x".repeat(1_001))).isFalse();
    assertThat(JobValidator.isWebHook("https://" + FOUR_BYTES.repeat(1_000))).isFalse();
    assertThat(JobValidator.isWebHook("https://a b")).isFalse();
  }

  @Test
  void mail_addresses_are_visible_ascii_with_one_at_sign() {
    assertThat(JobValidator.isMailAddress("eva+pool@example.org")).isTrue();
    assertThat(JobValidator.isMailAddress("eva@pool@example.org")).isFalse();
    assertThat(JobValidator.isMailAddress(FOUR_BYTES + "@example.org")).isFalse();
    assertThat(JobValidator.isMailAddress("e va@example.org")).isFalse();
  }
}
