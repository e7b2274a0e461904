package dev.imker.chaos.check;

import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One run of a task, as the task itself knows it: {@code job-index-token-incarnation} from a
 * command, {@code java-job.number-try} from a call in Java, which does not know its lease. Nothing
 * in it is chance, so that a lease which runs twice says the same twice.
 *
 * @param word what it wrote of itself
 * @param task empty for words of another kind
 * @param token empty for calls from Java, which do not know their lease
 */
record Attempt(String word, Optional<TaskId> task, Optional<LeaseToken> token) {
  private static final Pattern OF_LEASE = Pattern.compile("(\\d+)-(\\d+)-(\\d+)(?:-([0-9a-f]+))?");
  private static final Pattern OF_CALL = Pattern.compile("java-(\\d+)\\.(\\d+)-(\\d+)");

  public static Attempt parse(String word) {
    Matcher lease = OF_LEASE.matcher(word);
    if (lease.matches()) {
      String incarnation = lease.group(4);
      LeaseToken token =
          new LeaseToken(
              Long.parseLong(lease.group(3)),
              incarnation == null ? 0 : Long.parseUnsignedLong(incarnation, 16));
      TaskId task =
          new TaskId(new JobId(Long.parseLong(lease.group(1))), Integer.parseInt(lease.group(2)));
      return new Attempt(word, Optional.of(task), Optional.of(token));
    }
    Matcher call = OF_CALL.matcher(word);
    if (call.matches()) {
      TaskId task =
          new TaskId(new JobId(Long.parseLong(call.group(1))), Integer.parseInt(call.group(2)) - 1);
      return new Attempt(word, Optional.of(task), Optional.empty());
    }
    return new Attempt(word, Optional.empty(), Optional.empty());
  }
}
