package dev.imker.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.Role;
import dev.imker.testbase.Attack;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final RateLimit.Turn AT_ONCE = new RateLimit.Turn(0, 0);

  private Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private int rate = 5;
  private final RateLimit limit =
      new RateLimit(
          new Clock() {
            @Override
            public java.time.ZoneId getZone() {
              return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
              return this;
            }

            @Override
            public Instant instant() {
              return clock.instant();
            }
          },
          () -> rate);

  private int ask(String user, String address) {
    return limit
        .take(
            user.isEmpty() ? Optional.empty() : Optional.of(new Identity(user, Role.USER)),
            address,
            false)
        .retrySeconds();
  }

  private int untilRefused(String user, String address) {
    int taken = 0;
    while (ask(user, address) == 0 && taken < 1000) {
      taken++;
    }
    return taken;
  }

  @Test
  @Attack("make the server unusable for others with a flood of requests from one account")
  void one_who_floods_waits_and_others_do_not() {
    assertThat(untilRefused("eve", "1")).isEqualTo(50);
    assertThat(ask("eve", "another address")).isEqualTo(1);
    assertThat(ask("ann", "1")).isZero();
    clock = Clock.offset(clock, Duration.ofSeconds(1));
    assertThat(untilRefused("eve", "1")).isEqualTo(5);
  }

  @Test
  void one_who_is_ahead_by_little_waits_as_long_as_its_share_takes() {
    Optional<Identity> busy = Optional.of(new Identity("busy", Role.TASK));
    for (int i = 0; i < 50; i++) {
      assertThat(limit.take(busy, "1", true)).isEqualTo(AT_ONCE);
    }
    for (int i = 1; i <= 5; i++) {
      assertThat(limit.take(busy, "1", true)).isEqualTo(new RateLimit.Turn(i * 200L, 0));
    }
    assertThat(limit.take(busy, "1", true)).isEqualTo(new RateLimit.Turn(0, 1));
    clock = Clock.offset(clock, Duration.ofMillis(200));
    assertThat(limit.take(busy, "1", true)).isEqualTo(new RateLimit.Turn(1000, 0));
    clock = Clock.offset(clock, Duration.ofSeconds(2));
    assertThat(limit.take(busy, "1", true)).isEqualTo(AT_ONCE);
  }

  @Test
  @Attack("make the server unusable for others with a flood of requests without a token")
  void unknown_callers_are_counted_by_their_address() {
    assertThat(untilRefused("", "1")).isEqualTo(50);
    assertThat(ask("", "1")).isEqualTo(1);
    assertThat(ask("", "2")).isZero();
    assertThat(ask("ann", "1")).isZero();
  }

  @Test
  @Attack("flood the server from a new IPv6 address each time")
  void addresses_of_one_ipv6_network_count_together() {
    int taken = 0;
    while (ask("", "2001:db8:0:7::" + Integer.toHexString(taken + 1)) == 0 && taken < 1000) {
      taken++;
    }
    assertThat(taken).isEqualTo(50);
    assertThat(ask("", "2001:db8:0:8::1")).isZero();
    assertThat(ask("", "::ffff:192.0.2.1")).isZero();
    assertThat(ask("", "fe80::1%eth0")).isZero();
    assertThat(ask("", "no:address")).isZero();
  }

  @Test
  @Attack("flood the server with a join token")
  void agents_that_join_are_counted_by_their_address() {
    Optional<Identity> joining = Optional.of(new Identity("join", Role.JOIN));
    int taken = 0;
    while (limit.take(joining, "1", true).retrySeconds() == 0 && taken < 100_000) {
      taken++;
    }
    assertThat(taken).as("a fleet may come at once").isEqualTo(10_000);
    assertThat(limit.take(joining, "2", true).retrySeconds()).isZero();
  }

  @Test
  void agents_are_not_counted() {
    Optional<Identity> agent = Optional.of(new Identity("agent", Role.AGENT));
    for (int i = 0; i < 1000; i++) {
      assertThat(limit.take(agent, "1", true)).isEqualTo(AT_ONCE);
    }
  }

  @Test
  void what_was_waited_for_is_no_debt_when_the_rate_is_lowered() {
    rate = 1000;
    Optional<Identity> ann = Optional.of(new Identity("ann", Role.USER));
    while (!limit.take(ann, "1", true).isRefused()) {}
    rate = 1;
    assertThat(limit.take(ann, "1", false).retrySeconds()).isLessThanOrEqualTo(2);
  }
}
