package dev.imker.agent;

import static dev.imker.agent.FakeServer.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.model.BlobId;
import dev.imker.model.job.InputFile;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Two agents, each a process of its own, that use one folder. */
@EnabledOnOs(OS.LINUX)
@SuppressWarnings("NullAway.Init") // fields are set before each test
final class SharedCacheTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int INPUT_BYTES = 1 << 20;
  private static final long LIMIT_BYTES = 4L * INPUT_BYTES;

  @TempDir Path data;
  private final Map<String, Finished> ends = new ConcurrentHashMap<>();
  private FakeServer server;
  private AgentProcess first;
  private AgentProcess second;

  @BeforeEach
  void startAgents() throws Exception {
    String answer =
        Programs.ask(List.of("bwrap", "--unshare-all", "--ro-bind", "/", "/", "echo", "works"));
    assumeTrue(answer.strip().equals("works"), "no sandbox on this system");
    server = new FakeServer();
    Files.writeString(data.resolve("policy.yaml"), "sandbox: on\n");
    first = AgentProcess.start(server.join(), data, LIMIT_BYTES);
    second = AgentProcess.start(server.join(), data, LIMIT_BYTES);
    await().atMost(PATIENCE).until(() -> server.sessions.size() == 2);
  }

  @AfterEach
  void stopAll() throws Exception {
    if (server != null) {
      first.close();
      second.close();
      server.close();
    }
  }

  private InputFile input(int number) {
    byte[] content = new byte[INPUT_BYTES];
    new SplittableRandom(number).nextBytes(content);
    return new InputFile("in", server.addBlob(content), INPUT_BYTES, false);
  }

  private void assign(int agent, long job, int index, String line, InputFile input) {
    FakeServer.Job made = job(job, line).inputs(input);
    server.sessions.get(agent).send(FakeServer.describe(made.template(0)));
    server
        .sessions
        .get(agent)
        .send(Assignment.newBuilder().setLease(FakeServer.lease(job, index)).setAttempt(1).build());
  }

  private Finished end(long job, int index) throws InterruptedException {
    String name = job + "." + index;
    while (!ends.containsKey(name)) {
      Finished report = server.finished.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(report).as("the end of task %s", name).isNotNull();
      ends.put(report.getLease().getJob() + "." + report.getLease().getIndex(), report);
    }
    Finished end = ends.get(name);
    assertThat(end.getOutcome()).as(end.getError()).isEqualTo(Outcome.SUCCEEDED);
    return end;
  }

  private Path cached(BlobId blob) {
    return data.resolve("cache/blobs")
        .resolve(blob.sha256().substring(0, 2))
        .resolve(blob.sha256());
  }

  private long cachedBytes() throws IOException {
    try (Stream<Path> files = Files.walk(data.resolve("cache"))) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void a_file_is_fetched_once_for_both_and_no_task_copies_it() throws Exception {
    InputFile input = input(1);
    assign(0, 1, 0, "stat -c %i in", input);
    assign(1, 1, 1, "stat -c %i in", input);
    Object inode = Files.getAttribute(cachedOnce(input), "unix:ino");
    assertThat(end(1, 0).getStdout().toStringUtf8().strip()).isEqualTo(inode.toString());
    assertThat(end(1, 1).getStdout().toStringUtf8().strip()).isEqualTo(inode.toString());
    assertThat(server.fetched).containsEntry(input.blob().sha256(), 1);
    assertThat(cachedBytes()).isEqualTo(INPUT_BYTES);
  }

  private Path cachedOnce(InputFile input) throws InterruptedException {
    end(1, 0);
    end(1, 1);
    return cached(input.blob());
  }

  @Test
  void both_keep_the_limit_and_neither_takes_files_that_the_other_uses() throws Exception {
    InputFile used = input(0);
    assign(1, 1, 0, "echo > started; while [ ! -e go ]; do sleep 0.02; done; sha256sum < in", used);
    Path work = data.resolve("agent-2/work");
    Path other = data.resolve("agent-1/work");
    await().atMost(PATIENCE).until(() -> started(work).or(() -> started(other)).isPresent());
    for (int i = 1; i <= 12; i++) {
      InputFile next = input(i);
      assign(i % 2, 10 + i, 0, "sha256sum < in", next);
      assertThat(end(10 + i, 0).getStdout().toStringUtf8()).startsWith(next.blob().sha256());
      assertThat(cachedBytes())
          .isLessThanOrEqualTo(LIMIT_BYTES + 2 * LIMIT_BYTES / 20 + INPUT_BYTES);
    }
    assertThat(cached(used.blob())).doesNotExist();
    Path folder = started(work).or(() -> started(other)).orElseThrow();
    Files.createFile(folder.resolve("go"));
    assertThat(end(1, 0).getStdout().toStringUtf8()).startsWith(used.blob().sha256());
  }

  /** The folder of the task that has begun. */
  private static Optional<Path> started(Path work) {
    try (Stream<Path> folders = Files.exists(work) ? Files.list(work) : Stream.empty()) {
      return folders.filter(folder -> Files.exists(folder.resolve("started"))).findAny();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
