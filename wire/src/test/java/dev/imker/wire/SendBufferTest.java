package dev.imker.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.testbase.Trials;
import dev.imker.wire.failure.SessionClosedException;
import dev.imker.wire.frame.Codecs;
import dev.imker.wire.frame.FrameReader;
import dev.imker.wire.frame.Frames;
import dev.imker.wire.frame.MalformedFrameException;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class SendBufferTest {

  private static final int WINDOW = 4096;
  private static final int QUEUE = 2048;

  private final Object link = new Object();
  private final SendBuffer outbox = new SendBuffer(QUEUE, WINDOW, 1 << 20);

  @Test
  void first_append_asks_for_a_flush_and_later_ones_ride_along() {
    outbox.attach(link, 0, 0);
    assertThat(outbox.take(link)).isNull();
    assertThat(append(10)).isEqualTo(SendBuffer.Appended.FLUSH);
    assertThat(append(10)).isEqualTo(SendBuffer.Appended.QUEUED);
    assertThat(takeAll()).isEqualTo(2 * 14);
    assertThat(append(10)).isEqualTo(SendBuffer.Appended.FLUSH);
  }

  @Test
  void full_queue_refuses_until_half_of_it_is_sent() {
    while (append(100) != SendBuffer.Appended.FULL) {
      assertThat(outbox.heldBytes()).isLessThan(QUEUE + 200);
    }
    outbox.attach(link, 0, 0);
    takeAll();
    assertThat(append(100)).isNotEqualTo(SendBuffer.Appended.FULL);
  }

  @Test
  void no_more_than_the_window_is_sent_without_confirmation() {
    outbox.attach(link, 0, 0);
    long sent = 0;
    while (append(100) != SendBuffer.Appended.FULL) {
      sent += takeAll();
    }
    assertThat(sent).isBetween((long) WINDOW, WINDOW + 1024L);
    assertThat(outbox.heldBytes()).isLessThan(WINDOW + QUEUE + 1200);
    assertThat(outbox.confirm(sent)).isTrue();
    assertThat(takeAll()).isPositive();
  }

  @Test
  void confirmation_of_what_was_never_sent_is_refused() {
    outbox.attach(link, 0, 0);
    append(10);
    assertThat(outbox.confirm(1)).isFalse();
    takeAll();
    assertThat(outbox.confirm(14)).isTrue();
    assertThat(outbox.confirm(15)).isFalse();
    assertThat(outbox.confirm(-1)).isFalse();
  }

  @Test
  void another_link_gets_nothing() {
    outbox.attach(link, 0, 0);
    append(10);
    assertThat(outbox.take(new Object())).isNull();
    outbox.detach();
    assertThat(outbox.take(link)).isNull();
  }

  @Test
  void positions_that_cannot_be_are_no_base_for_a_resume() {
    outbox.attach(link, 0, 0);
    append(96);
    append(96);
    takeAll();
    assertThat(outbox.confirm(100)).isTrue();
    assertThat(outbox.canResume(200, 100)).isTrue();
    assertThat(outbox.canResume(100, 100)).isTrue();
    assertThat(outbox.canResume(99, 99)).isFalse();
    assertThat(outbox.canResume(201, 100)).isFalse();
    assertThat(outbox.canResume(150, 151)).isFalse();
    assertThat(outbox.canResume(150, -1)).isFalse();
  }

  @Test
  void waiting_sends_are_admitted_in_order_and_fail_when_it_closes() throws Exception {
    fill();
    CompletableFuture<@Nullable Void> first = new CompletableFuture<>();
    outbox.appendLater(message(100), first);
    assertThat(append(1)).as("nobody overtakes").isEqualTo(SendBuffer.Appended.FULL);
    assertThat(first).isNotDone();
    outbox.attach(link, 0, 0);
    takeAll();
    first.get(60, TimeUnit.SECONDS);
    fill();
    CompletableFuture<@Nullable Void> second = new CompletableFuture<>();
    outbox.appendLater(message(100), second);
    outbox.close("over");
    assertThat(second).isCompletedExceptionally();
    assertThatThrownBy(() -> append(1)).isInstanceOf(SessionClosedException.class);
  }

  @Test
  void blocked_sender_goes_on_when_there_is_room() throws Exception {
    fill();
    CompletableFuture<SendBuffer.Appended> blocked = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                blocked.complete(outbox.appendBlocking(message(100)));
              } catch (InterruptedException e) {
                blocked.completeExceptionally(e);
              }
            });
    outbox.attach(link, 0, 0);
    while (!blocked.isDone()) {
      takeAll();
    }
    assertThat(blocked.get()).isNotEqualTo(SendBuffer.Appended.FULL);
  }

  @Trials(300)
  void stream_is_complete_whatever_is_sent_lost_and_confirmed(long seed) {
    Random random = new Random(seed);
    SendBuffer lossy = new SendBuffer(QUEUE, WINDOW, 1 << 20);
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    List<Byte> tags = new ArrayList<>();
    Object current = new Object();
    lossy.attach(current, 0, 0);
    for (int step = 0; step < 300; step++) {
      byte tag = (byte) step;
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          int size = random.nextInt(20) == 0 ? random.nextInt(12_000) : random.nextInt(200);
          Encoded message = message(tag, size);
          if (lossy.append(message, SendBuffer.Bound.QUEUE) != SendBuffer.Appended.FULL) {
            tags.add(tag);
          }
        }
        case 2 -> {
          SendBuffer.Slice slice = lossy.take(current);
          if (slice != null && random.nextInt(5) > 0) {
            received.write(slice.bytes(), slice.offset(), slice.length());
            assertThat(lossy.confirm(random.nextInt(received.size() + 1))).isTrue();
          } else if (slice != null) {
            current = reconnect(lossy, received, random);
          }
        }
        default -> {
          if (random.nextInt(10) == 0) {
            current = reconnect(lossy, received, random);
          }
        }
      }
    }
    lossy.confirm(received.size());
    for (SendBuffer.Slice s = lossy.take(current); s != null; s = lossy.take(current)) {
      received.write(s.bytes(), s.offset(), s.length());
      lossy.confirm(received.size());
    }
    assertThat(tagsIn(received.toByteArray())).as("seed " + seed).isEqualTo(tags);
    assertThat(lossy.heldBytes()).isZero();
  }

  private static Object reconnect(SendBuffer lossy, ByteArrayOutputStream received, Random random) {
    Object next = new Object();
    lossy.detach();
    int processed = random.nextInt(received.size() + 1);
    assertThat(lossy.canResume(received.size(), processed)).isTrue();
    lossy.attach(next, received.size(), processed);
    return next;
  }

  private static List<Byte> tagsIn(byte[] stream) {
    List<Byte> tags = new ArrayList<>();
    FrameReader reader = new FrameReader(stream, 1 << 20);
    try {
      while (reader.next()) {
        tags.add((byte) reader.subtype());
      }
    } catch (MalformedFrameException e) {
      throw new AssertionError(e);
    }
    return tags;
  }

  private void fill() {
    int accepted = 0;
    while (append(100) != SendBuffer.Appended.FULL) {
      accepted++;
    }
    assertThat(accepted).isPositive();
  }

  private SendBuffer.Appended append(int payloadBytes) {
    return outbox.append(message(payloadBytes), SendBuffer.Bound.QUEUE);
  }

  private static Encoded message(int payloadBytes) {
    return message((byte) 1, payloadBytes);
  }

  private static Encoded message(byte tag, int payloadBytes) {
    return Encoded.of(2, tag & 0xFF, Codecs.bytes(), new byte[payloadBytes], Frames.ONE_WAY);
  }

  private long takeAll() {
    long bytes = 0;
    for (SendBuffer.Slice s = outbox.take(link); s != null; s = outbox.take(link)) {
      bytes += s.length();
    }
    return bytes;
  }
}
