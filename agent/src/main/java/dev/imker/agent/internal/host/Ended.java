package dev.imker.agent.internal.host;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The outcome of a run.
 *
 * @param succeeded whether nothing of it is to be tried again: a call that threw is a result too
 * @param value what it came to; also for a failure, if calls before it had results
 * @param log what it printed, the end of it
 * @param error in words; empty if it succeeded
 */
public record Ended(boolean succeeded, byte[] value, byte[] log, String error, long cpuNanos) {
  /** The longest text that fits a frame's field. */
  private static final int MAX_ERROR_CHARS = 10_000;

  byte[] toBytes() {
    return FrameChannel.content(this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeBoolean(succeeded);
    FrameChannel.writeBytes(out, value);
    FrameChannel.writeBytes(out, log);
    out.writeUTF(error.length() <= MAX_ERROR_CHARS ? error : error.substring(0, MAX_ERROR_CHARS));
    out.writeLong(cpuNanos);
  }

  static Ended read(DataInputStream in) throws IOException {
    return new Ended(
        in.readBoolean(),
        FrameChannel.readBytes(in),
        FrameChannel.readBytes(in),
        in.readUTF(),
        in.readLong());
  }

  Ended with(byte[] written, long nanos) {
    return new Ended(succeeded, value, written, error, nanos);
  }

  /** An outcome without further information. */
  public static Ended lost(String error) {
    return new Ended(false, new byte[0], new byte[0], error, 0);
  }
}
