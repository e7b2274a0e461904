package dev.imker.server.loop.pulse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HasteTest {
  private final Haste haste = new Haste();

  @Test
  void it_pays_as_long_as_something_comes() {
    for (int i = 0; i < 100; i++) {
      assertThat(haste.pays()).isTrue();
      haste.came(true);
    }
  }

  @Test
  void what_never_comes_is_waited_for_seldom() {
    int waited = 0;
    for (int i = 0; i < 200; i++) {
      if (haste.pays()) {
        waited++;
        haste.came(false);
      }
    }
    assertThat(waited).isBetween(2, 15);
  }

  @Test
  void one_that_comes_after_all_makes_it_pay_again() {
    while (haste.pays()) {
      haste.came(false);
    }
    while (!haste.pays()) {
      // left out
    }
    haste.came(true);
    assertThat(haste.pays()).isTrue();
  }
}
