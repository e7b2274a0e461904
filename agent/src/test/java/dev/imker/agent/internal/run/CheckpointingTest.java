package dev.imker.agent.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.imker.agent.internal.cache.BlobClient;
import dev.imker.agent.internal.cache.ServerAccess;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.model.BlobId;
import dev.imker.wire.proto.ResultFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class CheckpointingTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  @Test
  void files_that_a_task_has_saved_are_asked_after_until_it_reports() throws IOException {
    List<String> asked = Collections.synchronizedList(new ArrayList<>());
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/blobs/",
        exchange -> {
          asked.add(
              exchange.getRequestMethod()
                  + " "
                  + exchange.getRequestURI().getPath()
                  + " "
                  + exchange.getRequestHeaders().getFirst("Imker-Lease"));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    ServerAccess access = new ServerAccess();
    access.open(
        new ServerAccess.Access(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort()), "token"));
    TaskRun run = RunWatchTest.begun();
    BlobId blob = BlobId.of(new byte[0]);
    try (BlobClient blobs = new BlobClient(access, "", 1_000)) {
      Checkpointing checkpointing = new Checkpointing(blobs, message -> true);
      long now = run.startedNanos + 5 * MINUTE;
      checkpointing.saveIfDue(run, now);
      run.left(ResultFile.newBuilder().setPath("film").setSha256(blob.sha256()).build());
      checkpointing.saveIfDue(run, now + 3 * MINUTE);
      checkpointing.saveIfDue(run, now + 5 * MINUTE);
      await().until(() -> asked.size() == 1 && !run.saving);
      assertThat(asked)
          .containsExactly("HEAD /api/v1/blobs/" + blob + " " + run.held.lease().text());
      checkpointing.saveIfDue(run, now + 8 * MINUTE);
      checkpointing.saveIfDue(run, now + 10 * MINUTE);
      await().until(() -> asked.size() == 2);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void short_intervals_are_kept_to_the_letter() {
    assertThat(Checkpointing.pauseMillis(5_000)).isEqualTo(5_000);
  }

  @Test
  void half_an_hour_is_twenty_to_forty_minutes() {
    long usual = TimeUnit.MINUTES.toMillis(30);
    long[] pauses =
        LongStream.generate(() -> Checkpointing.pauseMillis(usual)).limit(200).toArray();
    assertThat(LongStream.of(pauses))
        .allMatch(
            pause ->
                pause >= TimeUnit.MINUTES.toMillis(20) && pause <= TimeUnit.MINUTES.toMillis(40));
    assertThat(LongStream.of(pauses).distinct().count()).isGreaterThan(1);
  }
}
