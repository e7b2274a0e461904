package dev.imker.agent.internal.lease;

import com.google.protobuf.ByteString;
import dev.imker.wire.proto.Lease;
import dev.imker.wire.proto.LogChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.function.Predicate;

/** Sends the output of a running task as it appears. */
public final class LogTail {
  private static final int CHUNK_BYTES = 64 << 10;
  private static final int CHUNKS_AT_ONCE = 8;

  private final Lease lease;
  private final Predicate<LogChunk> sender;
  private final SecretMask mask;
  private long stdoutOffset;
  private long stderrOffset;

  /**
   * @param sender false when there is no room at the moment: the chunk comes again later
   */
  public LogTail(
      Lease lease,
      long stdoutOffset,
      long stderrOffset,
      SecretMask mask,
      Predicate<LogChunk> sender) {
    this.lease = lease;
    this.stdoutOffset = stdoutOffset;
    this.stderrOffset = stderrOffset;
    this.mask = mask;
    this.sender = sender;
  }

  public void send(Path stdout, Path stderr) {
    stdoutOffset = sendFrom(stdout, LogChunk.Stream.STDOUT, stdoutOffset);
    stderrOffset = sendFrom(stderr, LogChunk.Stream.STDERR, stderrOffset);
  }

  /** A Java task's log counts as what it complains; what it writes is its value. */
  public void send(LiveLog log) {
    for (int i = 0; i < CHUNKS_AT_ONCE; i++) {
      LiveLog.Part next = log.next(stderrOffset, CHUNK_BYTES);
      if (next == null) {
        return;
      }
      mask.cover(next.text(), next.text().length);
      int settled = mask.settled(next.text(), next.text().length);
      if (settled == 0
          || !sender.test(
              chunk(LogChunk.Stream.STDERR, next.offset())
                  .setData(ByteString.copyFrom(next.text(), 0, settled))
                  .build())) {
        return;
      }
      stderrOffset = next.offset() + settled;
    }
  }

  /** Says that nothing more comes. Should it not get through, the report says it too. */
  public void end() {
    var _ = sender.test(chunk(LogChunk.Stream.STDOUT, stdoutOffset).setLast(true).build());
    var _ = sender.test(chunk(LogChunk.Stream.STDERR, stderrOffset).setLast(true).build());
  }

  private LogChunk.Builder chunk(LogChunk.Stream stream, long offset) {
    return LogChunk.newBuilder().setLease(lease).setStream(stream).setOffset(offset);
  }

  private long sendFrom(Path file, LogChunk.Stream stream, long from) {
    long offset = from;
    try (FileChannel in = FileChannel.open(file)) {
      for (int i = 0; i < CHUNKS_AT_ONCE && offset < in.size(); i++) {
        // Whoever follows may begin within a secret, so this begins before any such one.
        int before = (int) Math.min(offset, mask.longest());
        int most = (int) Math.min(CHUNK_BYTES, in.size() - offset);
        ByteBuffer buffer = ByteBuffer.allocate(before + most);
        int read = in.read(buffer, offset - before);
        mask.cover(buffer.array(), Math.max(0, read));
        int length = mask.settled(buffer.array(), Math.max(0, read)) - before;
        if (length <= 0) {
          break;
        }
        ByteString data = ByteString.copyFrom(buffer.array(), before, length);
        if (!sender.test(chunk(stream, offset).setData(data).build())) {
          break;
        }
        offset += length;
      }
    } catch (IOException e) {
      return offset; // not there yet; whatever lasts shows up in the report
    }
    return offset;
  }
}
