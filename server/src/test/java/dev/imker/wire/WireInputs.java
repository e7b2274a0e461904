package dev.imker.wire;

import dev.imker.wire.frame.FrameReader;
import dev.imker.wire.frame.MalformedFrameException;

/** Frames and messages as they come from strangers, for tests of other packages. */
public final class WireInputs {
  private static final int MAX_MESSAGE_BYTES = 1 << 20;
  private static final MessageDirectory DIRECTORY = MessageTypes.directory().build();

  private WireInputs() {}

  public static void frame(byte[] data) {
    FrameReader frame = new FrameReader(data, MAX_MESSAGE_BYTES);
    try {
      while (frame.next()) {
        MessageEntry<?> entry = DIRECTORY.find(frame.type(), frame.subtype());
        if (entry != null) {
          frame.payload(entry.codec());
        }
      }
    } catch (MalformedFrameException e) {
      return; // refused
    }
  }

  public static void message(byte[] data) {
    MessageEntry<?> entry = data.length < 2 ? null : DIRECTORY.find(data[0] & 0xFF, data[1] & 0xFF);
    try {
      if (entry != null) {
        readAndWrite(entry, data);
      }
    } catch (MalformedFrameException e) {
      return; // refused
    }
  }

  private static <T> void readAndWrite(MessageEntry<T> entry, byte[] data)
      throws MalformedFrameException {
    T message = entry.codec().read(data, 2, data.length - 2);
    byte[] again = new byte[entry.codec().sizeBytes(message)];
    entry.codec().write(message, again, 0, again.length);
    if (!entry.codec().read(again, 0, again.length).equals(message)) {
      throw new AssertionError("another message");
    }
  }
}
