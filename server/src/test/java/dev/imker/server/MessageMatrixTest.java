package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import dev.imker.server.gateway.MessageRights;
import dev.imker.server.gateway.MessageRights.Right;
import dev.imker.testbase.Attack;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.MessageTypes;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Checkpoint;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.Lease;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.PlatformChanged;
import dev.imker.wire.proto.Progress;
import dev.imker.wire.proto.ResultFile;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.SpawnAnswer;
import dev.imker.wire.proto.Waiting;
import dev.imker.wire.proto.Welcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every message that agents send ({@link MessageRights#TABLE}) from everybody who could send it:
 * who was not admitted, an admitted agent that does not have the task, and the one that has it. A
 * message without an example here fails.
 */
@ExpectedLogs({"Refused agent .* belongs to another key", "which sent an invalid message: Hello"})
class MessageMatrixTest {
  private static final String FILE = "saved";

  /** A task and who has it. */
  private record Scene(String holder, long job, Lease lease, String blob, String word) {}

  /** How each message would do harm. */
  private static final Map<Class<?>, Function<Scene, Object>> HARM =
      Map.ofEntries(
          Map.entry(
              Hello.class,
              scene -> Hello.newBuilder().setAgentId(scene.holder).addHeld(scene.lease).build()),
          Map.entry(
              SignOfLife.class,
              scene ->
                  SignOfLife.newBuilder()
                      .addHeld(scene.lease)
                      .setPaused(true)
                      .setPauseReason("harm")
                      .putPausedMillis(scene.lease.getToken(), 99)
                      .build()),
          Map.entry(Drain.class, scene -> Drain.newBuilder().setOn(true).build()),
          Map.entry(
              PlatformChanged.class,
              scene ->
                  PlatformChanged.newBuilder()
                      .setPlatformJson(Intruder.PLATFORM.replace("\"h\"", "\"harm\""))
                      .build()),
          Map.entry(
              Waiting.class,
              scene -> Waiting.newBuilder().setCount(1).putCountByUser("admin", 1).build()),
          Map.entry(
              Finished.class,
              scene ->
                  Finished.newBuilder()
                      .setLease(scene.lease)
                      .setOutcome(Outcome.SUCCEEDED)
                      .setStdout(ByteString.copyFromUtf8("harm"))
                      .build()),
          Map.entry(NeedJob.class, scene -> NeedJob.newBuilder().setJob(scene.job).build()),
          Map.entry(
              Checkpoint.class,
              scene ->
                  Checkpoint.newBuilder()
                      .setLease(scene.lease)
                      .addFiles(
                          ResultFile.newBuilder()
                              .setPath("a")
                              .setSha256(scene.blob)
                              .setSize(FILE.length()))
                      .build()),
          Map.entry(
              LogChunk.class,
              scene ->
                  LogChunk.newBuilder()
                      .setLease(scene.lease)
                      .setData(ByteString.copyFromUtf8(scene.word))
                      .build()),
          Map.entry(
              Progress.class,
              scene ->
                  Progress.newBuilder()
                      .setLease(scene.lease)
                      .setFraction(0.9)
                      .setText("harm")
                      .build()),
          Map.entry(
              Spawn.class,
              scene ->
                  Spawn.newBuilder()
                      .setLease(scene.lease)
                      .setKey("call/1")
                      .setPayload("{}")
                      .setCount(3)
                      .build()));

  @TempDir static Path folder;
  private static TestServer server;
  private static Rest admin;

  @BeforeAll
  static void start() {
    server = TestServer.start(folder);
    admin = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void every_message_of_agents_is_in_the_table_and_has_an_example() {
    assertThat(MessageTypes.directory().build().ofType(MessageTypes.FROM_AGENT))
        .containsExactlyInAnyOrderElementsOf(MessageRights.TABLE.keySet())
        .containsExactlyInAnyOrderElementsOf(HARM.keySet());
  }

  @TestFactory
  @Attack(
      value = "send a message about a task without being admitted or without holding the task",
      cases = 11)
  List<DynamicTest> every_message_counts_only_from_those_who_may_send_it() {
    List<DynamicTest> tests = new ArrayList<>();
    MessageRights.TABLE.forEach(
        (kind, right) ->
            tests.add(
                DynamicTest.dynamicTest(
                    kind.getSimpleName() + " " + right, () -> check(kind, right))));
    return tests;
  }

  private static void check(Class<?> kind, Right right) throws Exception {
    String name = "holder-of-" + kind.getSimpleName();
    String blob = admin.upload(FILE.getBytes(StandardCharsets.UTF_8));
    long job = admin.submit("{\"kind\":\"JAVA\",\"payload\":\"{}\",\"name\":\"parent\"}");
    try (Intruder holder = Intruder.joined(server, name)) {
      holder.next(Welcome.class);
      Lease lease = holder.next(Assignment.class).getLease();
      assertThat(lease.getJob()).isEqualTo(job);
      Scene scene = new Scene(name, job, lease, blob, "harm");
      Object message = harm(kind, scene);
      CompletableFuture<String> log = new CompletableFuture<>();
      if (kind == LogChunk.class) {
        Thread.ofVirtual()
            .start(
                () ->
                    log.complete(
                        admin.get("/api/v1/tasks/" + job + ".1/stdout?follow=true").text()));
        holder.next(FollowLog.class);
      }
      String before = world(scene);

      try (Intruder knocking =
          new Intruder(
              server.running().joinToken(),
              (hello, challenge) ->
                  Intruder.signed(hello.setAgentId(name), challenge, "key of a thief"),
              List.of(message))) {
        knocking.awaitHungUp();
        assertThat(knocking.heard()).noneMatch(MessageMatrixTest::tells);
      }
      assertThat(world(scene)).as("from one that was not admitted").isEqualTo(before);

      try (Intruder other = Intruder.joined(server, "other")) {
        other.next(Welcome.class);
        other.say(message);
        if (right == Right.FIRST) {
          other.awaitHungUp();
        } else {
          assertThat(other.allSoFar()).noneMatch(MessageMatrixTest::tells);
        }
        assertThat(world(scene)).as("from another agent").isEqualTo(before);
      }

      if (kind != LogChunk.class) {
        admin.submit("{\"command\":[\"x\"],\"name\":\"for-a-slot-that-is-left\"}");
        holder.say(message);
      }
      if (right == Right.FIRST) {
        holder.awaitHungUp();
        assertThat(world(scene)).contains("\"connected\":false");
      } else if (kind == NeedJob.class) {
        holder.next(JobDescription.class);
      } else if (kind == LogChunk.class) {
        holder.say(harm(kind, new Scene(name, job, lease, blob, "true")));
        holder.say(Finished.newBuilder().setLease(lease).setOutcome(Outcome.SUCCEEDED).build());
        assertThat(log.get(1, TimeUnit.MINUTES)).isEqualTo("true");
      } else {
        await().untilAsserted(() -> assertThat(world(scene)).isNotEqualTo(before));
      }
    } finally {
      for (JsonNode left : admin.get("/api/v1/jobs").json().get("jobs")) {
        admin.post("/api/v1/jobs/" + left.get("id").asLong() + "/cancel", "{}");
      }
    }
  }

  private static Object harm(Class<?> kind, Scene scene) {
    return Objects.requireNonNull(HARM.get(kind)).apply(scene);
  }

  private static boolean tells(Object answer) {
    return answer instanceof JobDescription
        || answer instanceof Assignment
        || (answer instanceof SpawnAnswer spawned && spawned.getRefused().isEmpty());
  }

  /** Everything that a message about somebody else's task could change, without times. */
  private static String world(Scene scene) throws SQLException {
    ObjectNode task = (ObjectNode) admin.get("/api/v1/tasks/" + scene.job + ".1").json();
    task.remove(
        List.of("attemptHistory", "node", "agent")); // times, and names that are learned late
    ObjectNode node = (ObjectNode) admin.get("/api/v1/nodes/node-of-" + scene.holder).json();
    node.remove("profile"); // changes with time
    String shown =
        "%s\n%s\n%s jobs\n%s"
            .formatted(
                task,
                node,
                admin.get("/api/v1/jobs?name=parent-sub").json().get("jobs").size(),
                checkpoints());
    return shown.replaceAll("\"seen\":\"[^\"]*\"", "");
  }

  private static String checkpoints() throws SQLException {
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("imker.db"));
        ResultSet rows = db.createStatement().executeQuery("SELECT count(*) FROM checkpoint")) {
      rows.next();
      return rows.getInt(1) + " checkpoints";
    }
  }
}
