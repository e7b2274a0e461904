package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.ImkerException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When to stop a job before its end, as {@code --halt} of GNU parallel says it.
 *
 * @param now whether running tasks are stopped too
 * @param share whether the number is a percentage of all tasks
 */
record HaltRule(boolean now, Kind kind, long number, boolean share) {
  private static final Pattern RULE =
      Pattern.compile("(now|soon),(fail|success|done)=(\\d{1,9})(%?)");

  enum Kind {
    FAIL,
    SUCCESS,
    DONE
  }

  static HaltRule parse(String text) {
    Matcher matcher = RULE.matcher(text);
    if (!matcher.matches() || Long.parseLong(matcher.group(3)) == 0) {
      throw new ImkerException(
          "--halt " + text + ": use now,fail=1, soon,fail=10%, now,success=1 or now,done=100.");
    }
    return new HaltRule(
        matcher.group(1).equals("now"),
        switch (matcher.group(2)) {
          case "fail" -> Kind.FAIL;
          case "success" -> Kind.SUCCESS;
          default -> Kind.DONE;
        },
        Long.parseLong(matcher.group(3)),
        !matcher.group(4).isEmpty());
  }

  /** Whether a job has come to the point. */
  boolean applies(JsonNode job) {
    JsonNode counts = job.path("counts");
    long failed = counts.path("failed").asLong() + counts.path("autoBlocked").asLong();
    long done = counts.path("done").asLong();
    long counted =
        switch (kind) {
          case FAIL -> failed;
          case SUCCESS -> done;
          case DONE -> failed + done;
        };
    return share ? counted * 100 >= number * job.path("tasks").asLong() : counted >= number;
  }
}
