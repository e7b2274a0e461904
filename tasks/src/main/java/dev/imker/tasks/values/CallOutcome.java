package dev.imker.tasks.values;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The outcome of one call of a task. Several calls may share a task; a call that cannot continue
 * next to the others is repeated in a task of its own, and the others keep their results.
 */
public enum CallOutcome {
  /** A value follows. */
  VALUE,
  /** A {@link Failure} follows. */
  FAILURE,
  /** It was not started: others in its task took too long. */
  NOT_MADE,
  /** It took too long for a shared task, or may have terminated its process. */
  APART,
  /** It threw an exception and has to be retried. */
  RETRY,
  /** It waits for other calls, which must not be behind it in the same task. */
  WAITS;

  private static final List<CallOutcome> ALL = List.of(values());

  public byte[] with(byte[] content) {
    return ByteBuffer.allocate(1 + content.length).put((byte) ordinal()).put(content).array();
  }

  /** The one of an outcome; whatever is unknown is a failure. */
  public static CallOutcome of(byte[] outcome) {
    return outcome.length == 0 || outcome[0] < 0 || outcome[0] >= ALL.size()
        ? FAILURE
        : ALL.get(outcome[0]);
  }

  /**
   * The value or {@link Failure} of an outcome.
   *
   * @throws ValueException if there is none
   */
  public static byte[] content(byte[] outcome) {
    if (outcome.length == 0) {
      throw new ValueException("A call has no outcome.");
    }
    return Arrays.copyOfRange(outcome, 1, outcome.length);
  }

  /** What a task leaves: the outcomes of its calls, after the time they took. */
  public static byte[] report(long nanos, List<byte[]> outcomes) {
    byte[] table = ByteTable.of(outcomes);
    return ByteBuffer.allocate(Long.BYTES + table.length).putLong(nanos).put(table).array();
  }

  /** The same outcome for all calls of a task. */
  public static byte[] report(int calls, byte[] outcome) {
    return report(0, Collections.nCopies(calls, outcome));
  }
}
