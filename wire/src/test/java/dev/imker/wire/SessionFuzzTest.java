package dev.imker.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.protobuf.ByteString;
import dev.imker.testbase.Attack;
import dev.imker.wire.frame.Codecs;
import dev.imker.wire.frame.Frames;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.NeedJob;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Hostile bytes must never crash a session or make it hold more than its window. */
final class SessionFuzzTest {

  private static final WireOptions OPTIONS = WireOptions.defaults().withWindowBytes(1024);

  private static final MessageDirectory DIRECTORY =
      MessageTypes.directory()
          .on(Hello.class, (_, _) -> {})
          .onRequest(NeedJob.class, (_, need) -> need)
          .onInline(Drain.class, (_, _) -> {})
          .build();

  @FuzzTest
  void any_frames_are_survived(byte[] data) {
    survive(data);
  }

  @Test
  @Attack("send random and mutated frames")
  void random_and_mutated_frames_are_survived() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 20_000; round++) {
      byte[] data = round % 2 == 0 ? noise(random) : mutated(random);
      try {
        survive(data);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ", " + Arrays.toString(data), e);
      }
    }
  }

  private static byte[] noise(Random random) {
    byte[] data = new byte[random.nextInt(200)];
    random.nextBytes(data);
    return data;
  }

  private static byte[] mutated(Random random) {
    byte[] valid =
        switch (random.nextInt(5)) {
          case 0 -> Control.ping(random.nextLong(), 0);
          case 1 -> Control.goodbye("x");
          case 2 -> Encoded.of(2, 1, Codecs.bytes(), new byte[20], Frames.request(3)).toFrame();
          case 3 -> Encoded.of(2, 3, Codecs.bytes(), new byte[8], Frames.ONE_WAY).toFrame();
          default -> Control.confirm(random.nextInt(3));
        };
    for (int i = random.nextInt(4); i > 0; i--) {
      valid[random.nextInt(valid.length)] = (byte) random.nextInt();
    }
    byte[] data = new byte[valid.length + 1];
    data[0] = (byte) valid.length;
    System.arraycopy(valid, 0, data, 1, valid.length);
    return data;
  }

  /** The first byte of each part tells the length of the frame that follows. */
  private static void survive(byte[] data) {
    Session.Endpoint endpoint =
        new Session.Endpoint(DIRECTORY, OPTIONS, new SessionListener() {}, Runnable::run);
    Session session =
        new Session(ByteString.EMPTY, "fuzz", endpoint, endpoint.newMailbox(), 1024, 1 << 20);
    MemoryLink link = new MemoryLink();
    session.open(link);
    for (int at = 0; at < data.length; ) {
      int length = Math.min(data[at] & 0xFF, data.length - at - 1);
      link.receive(Arrays.copyOfRange(data, at + 1, at + 1 + length));
      at += 1 + length;
      assertThat(session.stats().heldInBytes()).isBetween(0L, 1024L + 255);
    }
    session.terminate(new CloseReason(CloseReason.Kind.CLOSED_HERE, "done"));
    assertThat(session.stats().heldOutBytes()).isZero();
  }

  /** A link without a network; what is written is dropped. */
  private static final class MemoryLink implements Link {

    private Receiver receiver =
        new Receiver() {
          @Override
          public void onFrame(Link from, byte[] frame) {}

          @Override
          public void onClosed(Link link, String reason) {}
        };

    void receive(byte[] frame) {
      receiver.onFrame(this, frame);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      assertThat(length).isPositive();
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public boolean isClogged() {
      return false;
    }

    @Override
    public void close(String reason) {
      receiver.onClosed(this, reason);
    }

    @Override
    public void deliverTo(Receiver next) {
      receiver = next;
    }
  }
}
