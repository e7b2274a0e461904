package dev.imker.chaos.check;

import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of a task, as the task itself knows it: {@code job-index-token-incarnation.pid}. A call
 * from Java has no way to know its lease; its word is any other.
 *
 * @param word what it wrote of itself
 * @param task empty for calls from Java
 */
public record Attempt(String word, Optional<TaskId> task, Optional<LeaseToken> token) {
  private static final Pattern OF_LEASE =
      Pattern.compile("(\\d+)-(\\d+)-(\\d+)(?:-[0-9a-f]+)?\\.\\d+");

  public static Attempt parse(String word) {
    Matcher matcher = OF_LEASE.matcher(word);
    if (!matcher.matches()) {
      return new Attempt(word, Optional.empty(), Optional.empty());
    }
    TaskId task =
        new TaskId(new JobId(Long.parseLong(matcher.group(1))), Integer.parseInt(matcher.group(2)));
    return new Attempt(
        word, Optional.of(task), Optional.of(new LeaseToken(Long.parseLong(matcher.group(3)))));
  }
}
