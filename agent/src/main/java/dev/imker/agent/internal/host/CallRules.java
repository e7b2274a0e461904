package dev.imker.agent.internal.host;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rules for the calls of a task.
 *
 * @param retries number of retries for a call that throws
 * @param retriedOn exception classes that are retried; any if empty
 * @param limitMillis how long a call may take; 0 means no limit
 * @param patienceMillis how long a call may delay others in its task; 0 means for ever
 */
public record CallRules(
    int retries, List<String> retriedOn, long limitMillis, long patienceMillis) {
  /** Whether a call that threw this at some attempt is tried again. */
  boolean isRetried(Throwable thrown, int attempt) {
    return attempt <= retries && (retriedOn.isEmpty() || isOneOf(thrown.getClass()));
  }

  private boolean isOneOf(@Nullable Class<?> type) {
    return type != null && (retriedOn.contains(type.getName()) || isOneOf(type.getSuperclass()));
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(retries);
    out.writeInt(retriedOn.size());
    for (String type : retriedOn) {
      out.writeUTF(type);
    }
    out.writeLong(limitMillis);
    out.writeLong(patienceMillis);
  }

  static CallRules read(DataInputStream in) throws IOException {
    int retries = in.readInt();
    int count = in.readInt();
    List<String> types = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      types.add(in.readUTF());
    }
    return new CallRules(retries, List.copyOf(types), in.readLong(), in.readLong());
  }
}
