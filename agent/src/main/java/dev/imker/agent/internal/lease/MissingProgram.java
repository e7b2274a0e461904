package dev.imker.agent.internal.lease;

import dev.imker.model.change.AttemptReport;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Determines from its last line which program a shell did not find. */
final class MissingProgram {
  private static final int MAX_NAME = 200;

  /** As env, zsh and our own sandbox say it; then bash; then dash and busybox. */
  private static final List<Pattern> SAYINGS =
      List.of(
          Pattern.compile("(?:/usr/bin/)?env: [‘'](?<name>.+)[’']: No such file or directory"),
          Pattern.compile(".*command not found: (?<name>.+)"),
          Pattern.compile("(?:.*: )?(?<name>[^:]+): command not found"),
          Pattern.compile(".*: (?<name>[^:]+): not found"));

  private MissingProgram() {}

  /** Puts it into a report that has its errors already, in the place of the bare exit code. */
  static void name(Finished.Builder report) {
    if (report.getOutcome() == Outcome.FAILED && report.getExitCode() == AttemptReport.NOT_FOUND) {
      in(report.getStderr().toStringUtf8())
          .ifPresent(name -> report.setError("Command not found: " + name + " (exit code 127)."));
    }
  }

  static Optional<String> in(String errors) {
    String last = errors.lines().filter(line -> !line.isBlank()).reduce("", (_, line) -> line);
    return SAYINGS.stream()
        .map(saying -> saying.matcher(last))
        .filter(Matcher::matches)
        .map(found -> found.group("name"))
        .filter(name -> name.length() <= MAX_NAME)
        .findFirst();
  }
}
