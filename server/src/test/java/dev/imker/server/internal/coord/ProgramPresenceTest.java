package dev.imker.server.internal.coord;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.server.live.shared.ProgramMember;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProgramPresenceTest {
  private static final Duration MOMENT = ProgramPresence.PATIENCE.dividedBy(2);

  private final ProgramMember member = new ProgramMember("ada", "of-a-program", 1);
  private Optional<Duration> followed = Optional.of(Duration.ZERO);
  private long nowNanos;
  private final ProgramPresence presence = new ProgramPresence((_, _) -> followed, () -> nowNanos);

  private boolean isThereAfter(Duration time) {
    nowNanos += time.toNanos();
    return presence.isThere(member);
  }

  @Test
  void a_program_that_was_cut_off_is_gone_though_its_connection_still_seems_to_stand() {
    presence.heard("ada", "of-a-program");
    assertThat(isThereAfter(MOMENT)).isTrue();
    presence.heard("ada", "of-a-program");
    assertThat(isThereAfter(MOMENT)).isTrue();
    presence.heard("bea", "of-a-program"); // another user's
    assertThat(isThereAfter(MOMENT)).isFalse();
    presence.heard("ada", "of-a-program");
    assertThat(isThereAfter(MOMENT)).isTrue();
  }

  @Test
  void one_that_follows_and_never_says_that_it_is_there_is_there_until_it_has_left() {
    assertThat(isThereAfter(Duration.ofHours(1))).isTrue();
    followed = Optional.of(MOMENT);
    assertThat(isThereAfter(MOMENT)).isTrue();
    followed = Optional.of(ProgramPresence.PATIENCE);
    assertThat(isThereAfter(MOMENT)).isFalse();
  }

  @Test
  void one_that_has_left_is_gone_though_it_has_just_been_heard_of() {
    presence.heard("ada", "of-a-program");
    followed = Optional.of(ProgramPresence.PATIENCE);
    assertThat(isThereAfter(Duration.ZERO)).isFalse();
  }

  @Test
  void one_that_was_not_seen_here_is_waited_for() {
    followed = Optional.empty();
    assertThat(isThereAfter(Duration.ZERO)).isTrue();
    assertThat(isThereAfter(MOMENT)).isTrue();
    assertThat(isThereAfter(MOMENT)).isFalse();
  }
}
