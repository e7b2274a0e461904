package dev.imker.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.imker.testbase.Attack;
import dev.imker.wire.frame.MalformedFrameException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever the payload, every message is either read or refused as malformed. */
final class MessageFuzzTest {

  private static final MessageDirectory DIRECTORY = MessageTypes.directory().build();

  @FuzzTest
  void any_payload_is_read_or_refused(byte[] data) {
    read(data);
  }

  @Test
  @Attack("send random payloads of every message")
  void random_payloads_are_read_or_refused() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    int known = 0;
    for (int round = 0; round < 50_000; round++) {
      byte[] data = new byte[2 + random.nextInt(60)];
      random.nextBytes(data);
      data[0] = (byte) (2 + random.nextInt(2));
      data[1] = (byte) random.nextInt(10);
      try {
        known += read(data) ? 1 : 0;
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ", " + Arrays.toString(data), e);
      }
    }
    assertThat(known).as("seed " + seed).isPositive();
  }

  /** Type, subtype, payload; true if there is such a message and it could be read. */
  private static boolean read(byte[] data) {
    if (data.length < 2) {
      return false;
    }
    MessageEntry<?> entry = DIRECTORY.find(data[0] & 0xFF, data[1] & 0xFF);
    if (entry == null) {
      return false;
    }
    try {
      return readAndWrite(entry, data);
    } catch (MalformedFrameException e) {
      return false;
    }
  }

  /** What was read can be written and read again. */
  private static <T> boolean readAndWrite(MessageEntry<T> entry, byte[] data)
      throws MalformedFrameException {
    T message = entry.codec().read(data, 2, data.length - 2);
    byte[] again = new byte[entry.codec().sizeBytes(message)];
    entry.codec().write(message, again, 0, again.length);
    assertThat(entry.codec().read(again, 0, again.length)).isEqualTo(message);
    return true;
  }
}
