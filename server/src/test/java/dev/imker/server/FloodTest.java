package dev.imker.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.testbase.Attack;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.Welcome;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers that want more than their share. */
class FloodTest {
  @TempDir Path folder;

  @Test
  @Attack("flood the server over HTTP")
  void one_who_floods_is_told_when_to_come_back_and_others_are_served() {
    try (TestServer server = TestServer.start(folder)) {
      People people = new People(server);
      Rest eve = people.add("eve", "USER");
      Rest ann = people.add("ann", "USER");
      server.admin().putJson("/api/v1/settings", "{\"http.requests-per-second\":\"1\"}");
      AtomicReference<Rest.@Nullable Reply> refused = new AtomicReference<>();
      Thread flood =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (refused.get() == null) {
                      floodOnce(eve, refused);
                    }
                  });
      await().until(() -> refused.get() != null);
      Rest.Reply reply = Objects.requireNonNull(refused.get());
      assertThat(reply.errorCode()).isEqualTo("too_many_requests");
      assertThat(reply.headers().firstValue("Retry-After")).contains("1");
      assertThat(ann.get("/api/v1/me").status()).isEqualTo(200);
      await().until(() -> !flood.isAlive());
      await().until(() -> eve.get("/api/v1/me").status() == 200);
    }
  }

  /** Several questions at a time, of which one that waits for another would be none. */
  private static void floodOnce(Rest caller, AtomicReference<Rest.@Nullable Reply> refused) {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 20; i++) {
        threads.execute(
            () -> {
              Rest.Reply reply = caller.get("/api/v1/me");
              if (reply.status() == 429) {
                refused.set(reply);
              }
            });
      }
    }
  }

  @Test
  void one_who_asks_a_little_too_often_is_served_a_little_later_and_never_sent_away() {
    try (TestServer server = TestServer.start(folder)) {
      People people = new People(server);
      people.add("busy", "USER");
      server.admin().putJson("/api/v1/settings", "{\"http.requests-per-second\":\"20\"}");
      server.restart(); // which heeds it from the first requests on
      Rest busy = people.as("busy");
      for (int i = 0; i < 260; i++) {
        assertThat(busy.get("/api/v1/me").status()).isEqualTo(200);
      }
    }
  }

  @Test
  @Attack("hold a thousand connections and send nothing, or half a header")
  void a_thousand_idle_connections_keep_nobody_from_being_served() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try (TestServer server = TestServer.start(folder)) {
      for (int i = 0; i < 1000; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.running().port());
        idle.add(socket);
        if (i % 2 == 0) {
          socket.getOutputStream().write("GET /api/v1/me HTTP/1.1\r\nX:".getBytes(US_ASCII));
        }
      }
      for (int i = 0; i < 50; i++) {
        assertThat(server.admin().get("/api/v1/me").status()).isEqualTo(200);
      }
      long job = server.admin().submit("{\"command\":[\"x\"]}");
      try (TestAgent _ = server.succeedingAgent("a")) {
        await()
            .untilAsserted(
                () -> assertThat(server.admin().job(job).at("/status").asText()).isEqualTo("DONE"));
      }
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  @Attack("flood the server with messages of an agent while others work")
  void an_agent_that_floods_is_read_more_slowly_and_others_work() {
    try (TestServer server = TestServer.start(folder);
        Intruder flooding = Intruder.joined(server, "flooding")) {
      flooding.next(Welcome.class);
      flooding.say(Drain.newBuilder().setOn(true).build());
      AtomicBoolean over = new AtomicBoolean();
      AtomicInteger said = new AtomicInteger();
      Thread flood =
          Thread.ofVirtual()
              .start(
                  () -> {
                    while (!over.get()) {
                      flooding.say(NeedJob.newBuilder().setJob(1).build());
                      said.incrementAndGet();
                    }
                  });
      await().until(() -> said.get() > 1000);
      try (TestAgent _ = server.succeedingAgent("honest")) {
        for (int i = 0; i < 10; i++) {
          long job = server.admin().submit("{\"command\":[\"x\"]}");
          await()
              .untilAsserted(
                  () ->
                      assertThat(server.admin().job(job).at("/status").asText()).isEqualTo("DONE"));
        }
      }
      over.set(true);
      await().until(() -> !flood.isAlive());
    }
  }
}
