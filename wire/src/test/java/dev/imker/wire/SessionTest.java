package dev.imker.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.connect.Connector;
import dev.imker.wire.failure.MessageTooLargeException;
import dev.imker.wire.failure.RequestFailedException;
import dev.imker.wire.failure.RequestTimeoutException;
import dev.imker.wire.failure.SessionClosedException;
import dev.imker.wire.frame.Codecs;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

@ExpectedLogs("handler of (Drain|NeedJob) from a failed")
final class SessionTest {

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final WireOptions OPTIONS = WireOptions.defaults();

  private final BlockingQueue<Object> atServer = new LinkedBlockingQueue<>();

  @Test
  void lone_message_arrives() throws Exception {
    MessageDirectory server =
        MessageTypes.directory().on(Hello.class, (_, hello) -> atServer.add(hello)).build();
    try (Pair pair = new Pair(server, MessageTypes.directory().build(), OPTIONS)) {
      pair.connect(OPTIONS);
      Session session = pair.clientEvents.expect("opened").session();
      Hello hello = Hello.newBuilder().setAgentName("ant").setSlots(4).build();
      session.send(hello);
      assertThat(atServer.poll(60, TimeUnit.SECONDS)).isEqualTo(hello);
    }
  }

  @Test
  void flood_from_many_threads_arrives_complete_and_in_the_order_of_each_thread() throws Exception {
    int threads = 4;
    int each = 50_000;
    int[] next = new int[threads];
    List<String> wrong = new ArrayList<>();
    CountDownLatch all = new CountDownLatch(threads * each);
    MessageDirectory server =
        MessageTypes.directory()
            .on(
                Progress.class,
                (_, p) -> {
                  int thread = (int) p.getLease().getJob();
                  if (p.getLease().getIndex() != next[thread]++) {
                    wrong.add(p.toString());
                  }
                  all.countDown();
                })
            .build();
    try (Pair pair = new Pair(server, MessageTypes.directory().build(), OPTIONS)) {
      pair.connect(OPTIONS);
      Session session = pair.clientEvents.expect("opened").session();
      List<Thread> senders =
          IntStream.range(0, threads)
              .mapToObj(
                  thread ->
                      Thread.ofVirtual()
                          .start(
                              () ->
                                  IntStream.range(0, each)
                                      .forEach(i -> session.send(progress(thread, i)))))
              .toList();
      for (Thread sender : senders) {
        sender.join();
      }
      assertThat(all.await(60, TimeUnit.SECONDS)).isTrue();
      assertThat(wrong).isEmpty();
    }
  }

  @Test
  void request_is_answered_synchronously_and_asynchronously() throws Exception {
    MessageDirectory server =
        MessageTypes.directory()
            .onRequest(
                NeedJob.class,
                (_, need) -> JobDescription.newBuilder().setJob(need.getJob() + 1).build())
            .build();
    try (Pair pair = new Pair(server, MessageTypes.directory().build(), OPTIONS)) {
      pair.connect(OPTIONS);
      Session session = pair.clientEvents.expect("opened").session();
      NeedJob need = NeedJob.newBuilder().setJob(7).build();
      assertThat(session.request(need, JobDescription.class, LONG).getJob()).isEqualTo(8);
      List<CompletableFuture<JobDescription>> many =
          IntStream.range(0, 1000)
              .mapToObj(
                  i ->
                      session.requestAsync(
                          NeedJob.newBuilder().setJob(i).build(), JobDescription.class, LONG))
              .toList();
      for (int i = 0; i < many.size(); i++) {
        assertThat(many.get(i).get(60, TimeUnit.SECONDS).getJob()).isEqualTo(i + 1);
      }
      assertThat(session.stats().pendingRequests()).isZero();
    }
  }

  @Test
  void both_sides_can_ask_each_other_while_a_handler_waits() throws Exception {
    MessageDirectory server =
        MessageTypes.directory()
            .onRequest(
                NeedJob.class,
                (session, need) ->
                    session.request(
                        JobDescription.newBuilder().setJob(need.getJob()).build(),
                        JobDescription.class,
                        LONG))
            .build();
    MessageDirectory client =
        MessageTypes.directory()
            .onRequest(
                JobDescription.class,
                (_, d) -> JobDescription.newBuilder().setJob(d.getJob() * 2).build())
            .build();
    try (Pair pair = new Pair(server, client, OPTIONS)) {
      pair.connect(OPTIONS);
      Session session = pair.clientEvents.expect("opened").session();
      NeedJob need = NeedJob.newBuilder().setJob(21).build();
      assertThat(session.request(need, JobDescription.class, LONG).getJob()).isEqualTo(42);
    }
  }

  @Test
  void request_times_out_when_nobody_answers() throws Exception {
    MessageDirectory server =
        MessageTypes.directory()
            .onRequestAsync(NeedJob.class, (_, _) -> new CompletableFuture<JobDescription>())
            .build();
    try (Pair pair = new Pair(server, MessageTypes.directory().build(), OPTIONS)) {
      pair.connect(OPTIONS);
      Session session = pair.clientEvents.expect("opened").session();
      assertThatThrownBy(
              () ->
                  session.request(
                      NeedJob.getDefaultInstance(), JobDescription.class, Duration.ofMillis(30)))
          .isInstanceOf(RequestTimeoutException.class)
          .hasMessageContaining("NeedJob");
      assertThat(session.stats().pendingRequests()).isZero();
    }
  }

  @Test
  void failures_of_handlers_and_missing_handlers_reach_the_requester() throws Exception {
    MessageDirectory server =
        MessageTypes.directory()
            .onRequest(
                NeedJob.class,
                (_, _) -> {
                  throw new IllegalStateException("no such job");
                })
            .build();
    try (Pair pair = new Pair(server, MessageTypes.directory().build(), OPTIONS)) {
      pair.connect(OPTIONS);
      Session session = pair.clientEvents.expect("opened").session();
      assertThatThrownBy(
              () -> session.request(NeedJob.getDefaultInstance(), JobDescription.class, LONG))
          .isInstanceOf(RequestFailedException.class)
          .hasMessage("no such job");
      assertThatThrownBy(() -> session.request(Drain.getDefaultInstance(), Confirmed.class, LONG))
          .isInstanceOf(RequestFailedException.class)
          .hasMessageContaining("Drain");
    }
  }

  @Test
  void a_session_whose_handler_failed_is_closed_and_a_new_one_opened() throws Exception {
    MessageDirectory server =
        MessageTypes.directory()
            .on(
                Drain.class,
                (_, _) -> {
                  throw new IllegalStateException("out of order");
                })
            .build();
    try (Pair pair = new Pair(server, MessageTypes.directory().build(), OPTIONS)) {
      pair.connect(OPTIONS);
      pair.clientEvents.expect("opened").session().send(Drain.getDefaultInstance());
      pair.serverEvents.expect("opened");
      assertThat(pair.serverEvents.expect("closed").text()).contains("Drain could not be handled");
      assertThat(pair.clientEvents.expect("closed").text()).contains("Drain could not be handled");
      pair.clientEvents.expect("opened");
    }
  }

  @Test
  void inline_handlers_answer_on_the_event_loop_and_must_not_wait_there() {
    MessageDirectory server =
        MessageTypes.directory()
            .onRequestInline(
                NeedJob.class,
                (session, need) -> {
                  assertThatThrownBy(() -> session.request(need, NeedJob.class, LONG))
                      .isInstanceOf(IllegalStateException.class);
                  return CompletableFuture.completedStage(need);
                })
            .build();
    try (Pair pair = new Pair(server, MessageTypes.directory().build(), OPTIONS)) {
      pair.connect(OPTIONS);
      Session session = pair.clientEvents.expect("opened").session();
      NeedJob need = NeedJob.newBuilder().setJob(3).build();
      assertThat(session.request(need, NeedJob.class, LONG)).isEqualTo(need);
    }
  }

  @Test
  void response_of_another_class_than_expected_is_a_failure() {
    MessageDirectory server =
        MessageTypes.directory().onRequest(NeedJob.class, (_, need) -> need).build();
    try (Pair pair = new Pair(server, MessageTypes.directory().build(), OPTIONS)) {
      pair.connect(OPTIONS);
      Session session = pair.clientEvents.expect("opened").session();
      assertThatThrownBy(
              () -> session.request(NeedJob.getDefaultInstance(), JobDescription.class, LONG))
          .isInstanceOf(RequestFailedException.class)
          .hasMessageContaining("the response was NeedJob");
    }
  }

  @Test
  void unknown_messages_are_skipped_and_counted() throws Exception {
    MessageDirectory server =
        MessageTypes.directory().on(Hello.class, (_, hello) -> atServer.add(hello)).build();
    MessageDirectory client =
        MessageTypes.directory().register(200, 1, byte[].class, Codecs.bytes()).build();
    try (Pair pair = new Pair(server, client, OPTIONS)) {
      pair.connect(OPTIONS);
      Session session = pair.clientEvents.expect("opened").session();
      session.send(new byte[100]);
      session.send(Drain.getDefaultInstance());
      session.send(Hello.getDefaultInstance());
      assertThat(atServer.poll(60, TimeUnit.SECONDS)).isEqualTo(Hello.getDefaultInstance());
      assertThat(server.skippedMessages()).isEqualTo(2);
    }
  }

  @Test
  void closing_one_side_delivers_what_was_sent_and_tells_the_other_why() {
    MessageDirectory server =
        MessageTypes.directory().on(Hello.class, (_, hello) -> atServer.add(hello)).build();
    try (Pair pair = new Pair(server, MessageTypes.directory().build(), OPTIONS)) {
      Connector connector = pair.connect(OPTIONS);
      Session session = pair.clientEvents.expect("opened").session();
      pair.serverEvents.expect("opened");
      session.send(Hello.getDefaultInstance());
      connector.close("going home");
      assertThat(pair.serverEvents.expect("closed").text()).contains("going home");
      assertThat(pair.clientEvents.expect("closed").text()).contains("going home");
      assertThat(atServer).hasSize(1);
      assertThatThrownBy(() -> session.send(Hello.getDefaultInstance()))
          .isInstanceOf(SessionClosedException.class)
          .hasMessageContaining("going home");
    }
  }

  @Test
  void round_trip_is_measured() {
    WireOptions lively = OPTIONS.withKeepAlive(Duration.ofMillis(20));
    MessageDirectory none = MessageTypes.directory().build();
    try (Pair pair = new Pair(none, none, lively)) {
      pair.connect(lively);
      Session session = pair.clientEvents.expect("opened").session();
      Awaitility.await().until(() -> session.stats().roundTripNanos() > 0);
    }
  }

  @Test
  void too_large_a_message_is_refused_at_the_sender() {
    MessageDirectory none = MessageTypes.directory().build();
    MessageDirectory client =
        MessageTypes.directory().register(200, 1, byte[].class, Codecs.bytes()).build();
    try (Pair pair = new Pair(none, client, OPTIONS.withMaxFrameBytes(100_000))) {
      pair.connect(OPTIONS);
      Session session = pair.clientEvents.expect("opened").session();
      assertThat(session.trySend(new byte[99_900])).isTrue();
      assertThatThrownBy(() -> session.send(new byte[100_000]))
          .isInstanceOf(MessageTooLargeException.class);
    }
  }

  private static Progress progress(int thread, int index) {
    Progress.Builder progress = Progress.newBuilder();
    progress.getLeaseBuilder().setJob(thread).setIndex(index);
    return progress.build();
  }
}
