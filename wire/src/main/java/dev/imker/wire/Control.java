package dev.imker.wire;

import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.imker.wire.frame.Codecs;
import dev.imker.wire.frame.FrameReader;
import dev.imker.wire.frame.Frames;
import dev.imker.wire.frame.MalformedFrameException;
import dev.imker.wire.proto.Accept;
import dev.imker.wire.proto.Confirm;
import dev.imker.wire.proto.Failure;
import dev.imker.wire.proto.Goodbye;
import dev.imker.wire.proto.Open;
import dev.imker.wire.proto.Ping;
import dev.imker.wire.proto.Pong;
import dev.imker.wire.proto.Refuse;

/** Frames and numbers of the messages in session.proto. */
public final class Control {

  public static final int OLDEST_VERSION = 1;
  public static final int NEWEST_VERSION = 1;

  public static final int OPEN = 1;
  public static final int ACCEPT = 2;
  public static final int REFUSE = 3;
  static final int CONFIRM = 4;
  static final int PING = 5;
  static final int PONG = 6;
  static final int GOODBYE = 7;

  /** Subtype of {@link Failure} under type {@link Frames#SESSION}. */
  static final int FAILURE = 1;

  private static final int MAX_REASON_CHARS = 1000;

  private Control() {}

  public static byte[] open(Open open) {
    return frame(OPEN, Open.parser(), open);
  }

  public static byte[] accept(Accept accept) {
    return frame(ACCEPT, Accept.parser(), accept);
  }

  public static byte[] refuse(String reason) {
    return frame(REFUSE, Refuse.parser(), Refuse.newBuilder().setReason(shortened(reason)).build());
  }

  static byte[] confirm(long processedBytes) {
    return frame(
        CONFIRM, Confirm.parser(), Confirm.newBuilder().setProcessedBytes(processedBytes).build());
  }

  static byte[] ping(long sentNanos, long processedBytes) {
    return frame(
        PING,
        Ping.parser(),
        Ping.newBuilder().setSentNanos(sentNanos).setProcessedBytes(processedBytes).build());
  }

  static byte[] pong(long sentNanos, long processedBytes) {
    return frame(
        PONG,
        Pong.parser(),
        Pong.newBuilder().setSentNanos(sentNanos).setProcessedBytes(processedBytes).build());
  }

  static byte[] goodbye(String reason) {
    return frame(
        GOODBYE, Goodbye.parser(), Goodbye.newBuilder().setReason(shortened(reason)).build());
  }

  static Encoded failure(String reason, long correlation) {
    return Encoded.of(
        Frames.SESSION,
        FAILURE,
        Codecs.protobuf(Failure.parser()),
        Failure.newBuilder().setReason(shortened(reason)).build(),
        correlation);
  }

  private static String shortened(String reason) {
    return reason.length() <= MAX_REASON_CHARS ? reason : reason.substring(0, MAX_REASON_CHARS);
  }

  /** The message if the frame consists of this control message alone. */
  public static <T extends MessageLite> T only(byte[] frame, int subtype, Parser<T> parser)
      throws MalformedFrameException {
    FrameReader reader = new FrameReader(frame, Integer.MAX_VALUE);
    if (!reader.next() || reader.type() != Frames.CONTROL || reader.subtype() != subtype) {
      throw new MalformedFrameException("handshake expected");
    }
    return read(reader, parser);
  }

  public static <T extends MessageLite> T read(FrameReader reader, Parser<T> parser)
      throws MalformedFrameException {
    return reader.payload(Codecs.protobuf(parser));
  }

  private static <T extends MessageLite> byte[] frame(int subtype, Parser<T> parser, T message) {
    return Encoded.of(Frames.CONTROL, subtype, Codecs.protobuf(parser), message, Frames.ONE_WAY)
        .toFrame();
  }
}
