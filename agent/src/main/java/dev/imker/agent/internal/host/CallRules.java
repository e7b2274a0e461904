package dev.imker.agent.internal.host;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * How calls of a task are treated.
 *
 * @param retried whether one that throws beside others is tried again by itself
 * @param limitMillis how long a call may take; 0 means no limit
 * @param patienceMillis how long a call may keep others of its task waiting; 0 means for ever
 */
public record CallRules(boolean retried, long limitMillis, long patienceMillis) {
  void write(DataOutputStream out) throws IOException {
    out.writeBoolean(retried);
    out.writeLong(limitMillis);
    out.writeLong(patienceMillis);
  }

  static CallRules read(DataInputStream in) throws IOException {
    return new CallRules(in.readBoolean(), in.readLong(), in.readLong());
  }
}
