package dev.imker.server.internal.coord;

import dev.imker.server.live.shared.ProgramMember;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * Which programs outside of the pool are there. One is while it follows its outcomes and for a
 * while after that, in which another server may take over. Of a program whose machine was cut off,
 * its connection tells nothing for minutes: one that has said that it is there has to go on saying
 * so.
 */
final class ProgramPresence {
  /** So long a program may be away. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int MAX_KNOWN = 100_000;

  private record Program(String user, String session) {}

  /** How long ago a session of a user was followed here; empty if it never was. */
  private final BiFunction<String, String, Optional<Duration>> sinceFollowed;

  private final LongSupplier nanos;

  /** When programs said last that they are there. */
  private final Map<Program, Long> heard = new ConcurrentHashMap<>();

  /** Since when programs are waited for that were not seen here. */
  private final Map<Program, Long> awaited = new ConcurrentHashMap<>();

  ProgramPresence(
      BiFunction<String, String, Optional<Duration>> sinceFollowed, LongSupplier nanos) {
    this.sinceFollowed = sinceFollowed;
    this.nanos = nanos;
  }

  void heard(String user, String session) {
    note(heard, new Program(user, session));
  }

  /** One that this server has not seen yet has as long to come as one that has just left. */
  boolean isThere(ProgramMember member) {
    Program program = new Program(member.user(), member.session());
    Optional<Duration> followed = sinceFollowed.apply(program.user, program.session);
    Long said = heard.get(program);
    if (said != null && isLong(since(said))) {
      return false;
    }
    if (followed.isPresent()) {
      return !isLong(followed.get());
    }
    if (!awaited.containsKey(program)) {
      note(awaited, program);
    }
    return !isLong(since(awaited.getOrDefault(program, nanos.getAsLong())));
  }

  private void note(Map<Program, Long> when, Program program) {
    if (when.size() > MAX_KNOWN) {
      when.clear();
    }
    when.put(program, nanos.getAsLong());
  }

  private Duration since(long then) {
    return Duration.ofNanos(nanos.getAsLong() - then);
  }

  private static boolean isLong(Duration away) {
    return away.compareTo(PATIENCE) >= 0;
  }
}
