package dev.imker.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.imker.wire.connect.VirtualThreads;
import dev.imker.wire.frame.Frames;
import dev.imker.wire.proto.Accept;
import dev.imker.wire.proto.Confirm;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.Open;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nothing may wait for a timer to be noticed. Here no timer is left that could help: pings and
 * time-outs come after an hour, and lone messages are not gathered. So whatever is forgotten once
 * is forgotten for ever, and the test does not end.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WakeUpTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final WireOptions OPTIONS = WireOptions.defaults().withKeepAlive(HOUR);

  private static MessageDirectory echo() {
    return MessageTypes.directory().onRequest(NeedJob.class, (_, need) -> need).build();
  }

  private static Session session(MessageDirectory directory, WireOptions options) {
    Session.Endpoint endpoint =
        new Session.Endpoint(directory, options, new SessionListener() {}, VirtualThreads.EXECUTOR);
    return new Session(
        ByteString.EMPTY, "peer", endpoint, endpoint.newMailbox(), OPTIONS.windowBytes(), 1 << 20);
  }

  @Test
  void lone_requests_in_both_directions_are_all_answered_without_a_timer() throws Exception {
    try (JoinedLink here = new JoinedLink();
        JoinedLink there = new JoinedLink()) {
      JoinedLink.join(here, there);
      Session one = session(echo(), OPTIONS);
      Session two = session(echo(), OPTIONS);
      one.open(here);
      two.open(there);
      requestBothWays(one, two, 20_000);
    }
  }

  @Test
  void lone_requests_over_sockets_are_all_answered_without_a_timer() throws Exception {
    try (Pair pair = new Pair(echo(), echo(), OPTIONS)) {
      pair.connect(OPTIONS);
      Session one = pair.clientEvents.expect("opened").session();
      Session two = pair.serverEvents.expect("opened").session();
      requestBothWays(one, two, 5_000);
    }
  }

  private static void requestBothWays(Session one, Session two, int each) throws Exception {
    long seed = new Random().nextLong();
    AtomicInteger answered = new AtomicInteger();
    List<Thread> askers =
        List.of(
            asker(one, new Random(seed), each, answered),
            asker(two, new Random(seed + 1), each, answered),
            asker(one, new Random(seed + 2), each, answered));
    for (Thread asker : askers) {
      asker.join();
    }
    assertThat(answered.get()).as("seed " + seed).isEqualTo(askers.size() * each);
  }

  private static Thread asker(Session session, Random random, int count, AtomicInteger answered) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              for (int i = 0; i < count; i++) {
                if (random.nextInt(4) == 0) {
                  LockSupport.parkNanos(random.nextInt(200_000));
                }
                NeedJob request = NeedJob.newBuilder().setJob(i + 1).build();
                if (session.request(request, NeedJob.class, HOUR).getJob() == i + 1) {
                  answered.incrementAndGet();
                }
              }
            });
  }

  @Test
  void sender_with_a_smaller_window_than_the_receiver_gets_its_credit_in_time() {
    int messages = 20_000;
    AtomicInteger received = new AtomicInteger();
    MessageDirectory server =
        MessageTypes.directory()
            .on(JobDescription.class, (_, _) -> received.incrementAndGet())
            .build();
    WireOptions small = OPTIONS.withWindowBytes(4 << 10);
    try (Pair pair = new Pair(server, MessageTypes.directory().build(), OPTIONS)) {
      pair.connect(small);
      Session sender = pair.clientEvents.expect("opened").session();
      JobDescription message =
          JobDescription.newBuilder().setSpecJson(ByteString.copyFrom(new byte[100])).build();
      for (int i = 0; i < messages; i++) {
        sender.send(message);
      }
      await().atMost(Duration.ofSeconds(60)).until(() -> received.get() == messages);
    }
  }

  @Test
  void what_was_processed_while_nobody_could_be_told_is_told_after_the_resume() throws Exception {
    CompletableFuture<Boolean> mayProcess = new CompletableFuture<>();
    MessageDirectory directory =
        MessageTypes.directory()
            .on(JobDescription.class, (_, _) -> assertThat(mayProcess.join()).isTrue())
            .build();
    try (JoinedLink first = new JoinedLink();
        JoinedLink second = new JoinedLink()) {
      Session session = session(directory, OPTIONS);
      session.open(first);
      byte[] frame = frameOf(OPTIONS.windowBytes());
      first.receive(frame);
      await().until(() -> session.stats().heldInBytes() == frame.length);
      session.linkClosed(first, "cut");

      Open offer = session.offer().build();
      assertThat(offer.getProcessedBytes()).isZero();
      mayProcess.complete(true);
      await().until(() -> session.stats().heldInBytes() == 0);
      assertThat(session.resume(second, Accept.newBuilder().setResumed(true).build())).isTrue();

      await().until(() -> !second.written().isEmpty());
      Confirm told = Control.only(second.written().getFirst(), Control.CONFIRM, Confirm.parser());
      assertThat(told.getProcessedBytes()).isEqualTo(frame.length);
    }
  }

  private static byte[] frameOf(int payloadBytes) {
    JobDescription message =
        JobDescription.newBuilder()
            .setSpecJson(ByteString.copyFrom(new byte[payloadBytes]))
            .build();
    return Encoded.of(MessageTypes.directory().build().entryOf(message), message, Frames.ONE_WAY)
        .toFrame();
  }
}
