package dev.imker.wire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.testbase.Attack;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import dev.imker.wire.Encoded;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FramesTest {

  /** A message as the tests see it. */
  record Plain(int type, int subtype, long correlation, List<Byte> payload) {

    Encoded encoded() {
      byte[] bytes = new byte[payload.size()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = payload.get(i);
      }
      return Encoded.of(type, subtype, Codecs.bytes(), bytes, correlation);
    }
  }

  @Trials
  void what_is_written_is_read(Generator random) throws MalformedFrameException {
    List<Plain> messages = random.listOf(1, 20, FramesTest::message);
    assertThat(read(frameOf(messages))).isEqualTo(messages);
  }

  @Trials
  @Attack("truncate a frame anywhere")
  void frame_cut_off_anywhere_inside_a_message_is_refused(Generator random) {
    byte[] frame = frameOf(List.of(message(random)));
    int at = random.between(0, 1000);
    byte[] cut = Arrays.copyOf(frame, at % (frame.length - 1) + 1);
    if (cut.length < frame.length) {
      assertThatThrownBy(() -> read(cut)).isInstanceOf(MalformedFrameException.class);
    }
  }

  @Trials(5000)
  @Attack("send arbitrary bytes as a frame")
  void any_bytes_are_either_messages_or_refused(Generator random) {
    byte[] bytes = random.bytes(64);
    try {
      int covered = 0;
      for (Plain message : read(bytes)) {
        covered += 3 + message.payload().size();
      }
      assertThat(covered).isLessThanOrEqualTo(bytes.length + 1);
    } catch (MalformedFrameException e) {
      assertThat(e).hasMessageMatching("(message of|number).*");
    }
  }

  @Test
  @Attack("claim a length that overflows")
  void length_that_would_overflow_is_refused() {
    byte[] frame = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 2, 1, 0};
    assertThatThrownBy(() -> read(frame))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessageContaining("18446744073709551615");
  }

  @Test
  @Attack("send a message above the limit")
  void message_above_the_limit_is_refused() {
    byte[] frame = frameOf(List.of(new Plain(2, 1, 0, List.of((byte) 1, (byte) 2))));
    FrameReader reader = new FrameReader(frame, frame.length - 1);
    assertThatThrownBy(reader::next).isInstanceOf(MalformedFrameException.class);
  }

  @Test
  void header_of_a_small_message_takes_four_bytes() {
    assertThat(Frames.messageBytes(Frames.ONE_WAY, 16)).isEqualTo(20);
  }

  private static Plain message(Generator random) {
    return new Plain(
        random.between(0, 255),
        random.between(0, 255),
        random.anyLong(),
        random.listOf(0, 300, g -> (byte) g.between(Byte.MIN_VALUE, Byte.MAX_VALUE)));
  }

  private static byte[] frameOf(List<Plain> messages) {
    byte[] frame = new byte[messages.stream().mapToInt(m -> m.encoded().messageBytes()).sum()];
    int at = 0;
    for (Plain message : messages) {
      message.encoded().writeTo(frame, at);
      at += message.encoded().messageBytes();
    }
    return frame;
  }

  private static List<Plain> read(byte[] frame) throws MalformedFrameException {
    FrameReader reader = new FrameReader(frame, 1 << 20);
    List<Plain> messages = new ArrayList<>();
    while (reader.next()) {
      List<Byte> payload = new ArrayList<>();
      for (byte b : reader.payload(Codecs.bytes())) {
        payload.add(b);
      }
      messages.add(
          new Plain(reader.type(), reader.subtype(), reader.correlation(), List.copyOf(payload)));
    }
    return messages;
  }
}
