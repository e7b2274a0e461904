package dev.imker.agent.internal.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.internal.cache.BlobCache;
import dev.imker.agent.internal.cache.BlobSource;
import dev.imker.agent.internal.run.Spawning;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.tasks.values.ByteTable;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.SpawnAnswer;
import dev.imker.wire.proto.SpawnOutcome;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sub-tasks came to is fetched from whichever server leads. */
class SpawnedOutcomesTest {
  private static final byte[] OUTCOME = {1, 2, 3};

  @TempDir Path folder;

  /** A server that has not told of a file does not hand it out: who has just begun to lead. */
  private static final class Server implements BlobSource {
    final byte[] content;
    final CompletableFuture<Boolean> refused = new CompletableFuture<>();
    volatile boolean toldOf;

    Server(byte[] content) {
      this.content = content;
    }

    @Override
    public Content open(BlobId blob, long offset) throws IOException {
      if (!toldOf) {
        refused.complete(true);
        throw new IOException("the server answered with status 403");
      }
      return new Content(new ByteArrayInputStream(content), 0);
    }
  }

  private static byte[] stdout() {
    byte[] table = ByteTable.of(List.of(OUTCOME));
    return ByteBuffer.allocate(Long.BYTES + table.length).putLong(7).put(table).array();
  }

  @Test
  void an_outcome_that_was_told_before_a_fail_over_is_fetched_after_it() throws Exception {
    Server server = new Server(stdout());
    List<Object> sent = new ArrayList<>();
    Spawning spawning =
        new Spawning(
            message -> sent.add(message), new BlobCache(folder.resolve("cache"), 1 << 20), server);
    CompletableFuture<byte[]> outcome = new CompletableFuture<>();
    HostRequest request =
        new HostRequest(
            Requests.Kind.SPAWN,
            new byte[0],
            folder,
            (granted, result) -> {},
            (number, result) -> outcome.complete(result));
    Lease parent = new Lease(new TaskId(new JobId(1), 0), LeaseToken.of(1, 1));
    Spawn spawn = Spawn.newBuilder().setKey("key").setCount(1).build();
    String hash =
        HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(server.content));
    SpawnAnswer answer =
        SpawnAnswer.newBuilder()
            .setKey("key")
            .addOutcomes(
                SpawnOutcome.newBuilder()
                    .setNumber(1)
                    .setLast(1)
                    .setState("DONE")
                    .setStdoutSha256(hash))
            .build();

    spawning.begin(parent, 1, spawn, request);
    spawning.answered(answer);
    server.refused.get(60, TimeUnit.SECONDS);

    sent.clear();
    spawning.sendAll(sent::add);
    assertThat(sent).as("the next leader is asked").containsExactly(spawn);
    server.toldOf = true;
    spawning.answered(answer);
    assertThat(outcome.get(60, TimeUnit.SECONDS)).isEqualTo(OUTCOME);
  }
}
