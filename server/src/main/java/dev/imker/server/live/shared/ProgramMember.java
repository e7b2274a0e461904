package dev.imker.server.live.shared;

import dev.imker.coord.tasks.Member;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What takes part in something for a program outside of the pool.
 *
 * @param session that the program submits its jobs in
 * @param number of those that take part for it
 */
public record ProgramMember(String user, String session, long number) {
  private static final Pattern FORM = Pattern.compile("program-([0-9a-f]*)-([0-9]+)-(.+)");
  private static final int SHOWN_CHARS = 8;

  /** As others see it: its lease has the user's name in digits, whatever that is made of. */
  public Member member() {
    return new Member(
        "program-" + session.substring(0, Math.min(SHOWN_CHARS, session.length())) + "." + number,
        "program-%s-%d-%s"
            .formatted(
                HexFormat.of().formatHex(user.getBytes(StandardCharsets.UTF_8)), number, session));
  }

  /** The one that has this lease; nothing if a task has it. */
  public static Optional<ProgramMember> of(String lease) {
    Matcher matcher = FORM.matcher(lease);
    return matcher.matches()
        ? Optional.of(
            new ProgramMember(
                new String(HexFormat.of().parseHex(matcher.group(1)), StandardCharsets.UTF_8),
                matcher.group(3),
                Long.parseLong(matcher.group(2))))
        : Optional.empty();
  }
}
