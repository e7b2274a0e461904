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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
      await().until(() -> eve.get("/api/v1/me").status() == 429);
      Rest.Reply refused = eve.get("/api/v1/me");
      assertThat(refused.errorCode()).isEqualTo("too_many_requests");
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      assertThat(ann.get("/api/v1/me").status()).isEqualTo(200);
      await().until(() -> eve.get("/api/v1/me").status() == 200);
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
