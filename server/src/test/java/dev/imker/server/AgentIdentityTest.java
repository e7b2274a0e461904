package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.imker.model.BandwidthNoise;
import dev.imker.testbase.Attack;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Checkpoint;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.Lease;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.PlatformChanged;
import dev.imker.wire.proto.Progress;
import dev.imker.wire.proto.Refused;
import dev.imker.wire.proto.ResultFile;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.Waiting;
import dev.imker.wire.proto.Welcome;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody can and cannot do who has a join token and nothing else. */
@ExpectedLogs({
  "Refused agent",
  "claims \\d+ slots",
  "which sent an invalid message",
  "description of its platform cannot be parsed",
  "of a checkpoint never arrived"
})
class AgentIdentityTest {
  private static final String SECRET_JOB =
      """
      {"name":"secret","command":["x"],"env":{"PASSWORD":"hunter2"},
       "inputs":[{"path":"in","blob":"%s","size":7}],"outputs":["*"]}
      """;

  @TempDir Path folder;
  private TestServer server;
  private Rest admin;

  @BeforeEach
  void start() {
    server = TestServer.start(folder);
    admin = server.admin();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String upload(String text) {
    return admin.upload(bytes(text));
  }

  private Rest.Reply put(String token, String lease, String sha256, byte[] content) {
    Rest agent = server.withToken(token);
    return agent.send(
        agent
            .request("/api/v1/blobs/" + sha256)
            .header("Imker-Lease", lease)
            .PUT(BodyPublishers.ofByteArray(content)));
  }

  private static String header(Lease lease) {
    return Rest.leaseHeader(lease);
  }

  private JsonNode keys() {
    return admin.get("/api/v1/agents").json().get("agents");
  }

  // ---------------------------------------------------------------- who an agent is

  @Test
  @Attack("take the place of another agent with the join token")
  void the_id_of_an_agent_opens_only_with_its_key() {
    long job = admin.submit("{\"command\":[\"x\"],\"rules\":{\"maxFailures\":1}}");
    try (TestAgent honest = server.agent("a")) {
      Assignment task = honest.nextAssignment();
      try (Intruder thief =
          new Intruder(
              server.running().joinToken(),
              (hello, challenge) ->
                  Intruder.signed(
                      hello.setAgentId("agent-a").setNodeId("node-a").addHeld(task.getLease()),
                      challenge,
                      "key of a thief"))) {
        assertThat(thief.next(Refused.class).getReason())
            .contains("agent-a belongs to another key");
        thief.say(
            Finished.newBuilder()
                .setLease(task.getLease())
                .setOutcome(Outcome.SUCCEEDED)
                .setStdout(ByteString.copyFromUtf8("forged"))
                .build());
        thief.awaitHungUp();
      }
      assertThat(admin.job(job).at("/status").asText()).isEqualTo("RUNNING");
      honest.finish(TestAgent.success(task));
      assertThat(honest.nextConfirmed().getAccepted()).isTrue();
      assertThat(admin.get("/api/v1/tasks/" + job + ".1/stdout").text()).isEmpty();
    }
    assertThat(admin.get("/api/v1/audit").text()).contains("agent-a belongs to another key");
  }

  @Test
  @Attack("derive the token of an agent from that of one of its tasks")
  void the_token_of_a_task_opens_nothing_of_its_agent() {
    try (TestAgent agent = server.agent("a")) {
      String own = agent.nextWelcome().getBlobToken();
      admin.submit("{\"command\":[\"x\"]}");
      Lease lease = agent.nextAssignment().getLease();
      String sha256 = upload("somebody's file");
      String[] parts = People.sign(header(lease), own).split("\\.", 3);
      String payload = parts[1];
      for (String made :
          List.of(
              "imker-s-" + payload + "." + parts[2],
              "imker-s-" + payload + ".",
              "imker-s-" + payload,
              parts[0] + "." + payload + "." + own.substring(own.lastIndexOf('.') + 1))) {
        Rest thief = server.withToken(made);
        assertThat(thief.get("/api/v1/blobs/" + sha256).status()).as(made).isEqualTo(401);
        assertThat(thief.get("/api/v1/board?project=default").status()).as(made).isEqualTo(401);
      }
    }
  }

  /** Whoever says hello twice is hung up on, perhaps before the first hello is refused. */
  @Test
  @Attack("claim the id of another agent and hang up before the refusal")
  void one_that_is_gone_before_its_refusal_harms_nobody() {
    try (TestAgent honest = server.agent("a")) {
      admin.submit("{\"command\":[\"x\"]}");
      honest.nextAssignment(); // it was first, so the id is its own
      for (int i = 0; i < 5; i++) {
        try (Intruder thief =
            new Intruder(
                server.running().joinToken(),
                (hello, challenge) ->
                    Intruder.signed(
                        hello.setAgentId("agent-a").setNodeId("node-a"),
                        challenge,
                        "key of a thief"),
                List.of(Hello.getDefaultInstance(), Hello.getDefaultInstance()))) {
          thief.awaitHungUp();
        }
      }
      admin.submit("{\"command\":[\"x\"]}");
      honest.nextAssignment();
    }
  }

  @Test
  @Attack("send messages as another agent before the welcome")
  void what_is_said_before_the_welcome_counts_for_nobody() {
    String file = upload("private");
    long job = admin.submit(SECRET_JOB.formatted(file));
    try (TestAgent honest = server.agent("a")) {
      Assignment task = honest.nextAssignment();
      try (Intruder thief =
          new Intruder(
              server.running().joinToken(),
              (hello, challenge) ->
                  Intruder.signed(
                      hello.setAgentId("agent-a").setNodeId("node-a"), challenge, "key of a thief"),
              List.of(
                  SignOfLife.newBuilder().setSentMillis(1).build(),
                  NeedJob.newBuilder().setJob(job).build(),
                  Drain.newBuilder().setOn(true).build(),
                  Finished.newBuilder()
                      .setLease(task.getLease())
                      .setOutcome(Outcome.SUCCEEDED)
                      .setStdout(ByteString.copyFromUtf8("forged"))
                      .build()))) {
        thief.awaitHungUp();
        assertThat(thief.heard()).noneMatch(answer -> !(answer instanceof Refused));
      }
      assertThat(admin.job(job).at("/status").asText()).isEqualTo("RUNNING");
      honest.finish(TestAgent.success(task));
      assertThat(honest.nextConfirmed().getAccepted()).isTrue();
      assertThat(admin.get("/api/v1/tasks/" + job + ".1/stdout").text()).isEmpty();
      admin.submit("{\"command\":[\"x\"]}");
      honest.nextAssignment(); // it was not drained
    }
  }

  @Test
  @Attack("spawn with a key too long for an index of the database")
  void a_spawn_whose_key_fits_into_no_index_is_nonsense() {
    for (String key : List.of("k".repeat(301), "ü", "")) {
      try (Intruder odd = Intruder.joined(server, "odd")) {
        odd.next(Welcome.class);
        odd.say(Spawn.newBuilder().setKey(key).setCount(1).build());
        odd.awaitHungUp();
      }
    }
  }

  @Test
  @Attack("replay the signature of another session")
  void a_key_that_is_shown_must_be_had() {
    try (TestAgent honest = server.agent("a");
        Intruder thief =
            new Intruder(
                server.running().joinToken(),
                (hello, challenge) ->
                    Intruder.signed(hello.setAgentId("agent-a"), new byte[16], "key of a"))) {
      honest.nextWelcome();
      assertThat(thief.next(Refused.class).getReason()).contains("did not prove");
    }
    try (Intruder unsigned = new Intruder(server.running().joinToken(), (hello, _) -> hello)) {
      assertThat(unsigned.next(Refused.class).getReason()).contains("did not prove");
    }
  }

  @Test
  void an_agent_keeps_its_id_over_restarts_of_both_sides() {
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
    }
    server.restart();
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
    }
    assertThat(keys().findValuesAsText("agent")).containsExactly("agent-a");
  }

  @Test
  @Attack("inherit the trust of a node by claiming its id")
  void a_claimed_node_is_inherited_by_nobody() {
    try (TestAgent honest = server.agent("a")) {
      honest.nextWelcome();
      admin.putJson("/api/v1/nodes/node-a/trust", "{\"level\":9}");
      try (Intruder thief =
          new Intruder(
              server.running().joinToken(),
              (hello, challenge) ->
                  Intruder.signed(hello.setNodeId("node-a"), challenge, "key of a thief"))) {
        thief.next(Welcome.class);
        JsonNode nodes = admin.get("/api/v1/nodes").json().get("nodes");
        assertThat(nodes).hasSize(2);
        for (JsonNode node : nodes) {
          boolean own = node.get("id").asText().equals("node-a");
          assertThat(node.get("agents")).hasSize(1);
          assertThat(node.at("/agents/0/id").asText()).isEqualTo(own ? "agent-a" : "agent-i");
          assertThat(node.at("/agents/0/trust").asInt()).isEqualTo(own ? 9 : 0);
        }
      }
    }
  }

  @Test
  @Attack("control the terminal of an admin through the name of a machine")
  void ids_names_and_facts_of_agents_are_harmless() {
    for (String id : List.of("a/b", "", "\u001b[2J", "x".repeat(200), "a\nb")) {
      try (Intruder odd =
          new Intruder(
              server.running().joinToken(),
              (hello, challenge) -> Intruder.signed(hello.setAgentId(id), challenge, "odd"))) {
        assertThat(odd.next(Refused.class).getReason()).contains("needs an id");
      }
    }
    try (Intruder odd =
        new Intruder(
            server.running().joinToken(),
            (hello, challenge) ->
                Intruder.signed(
                    hello
                        .setAgentName("\u001b]0;owned\u0007\u202eevil\n")
                        .setPlatformJson(Intruder.PLATFORM.replace("\"h\"", "\"\\u001b[31mhost\"")),
                    challenge,
                    "odd"))) {
      odd.next(Welcome.class);
      String shown = admin.get("/api/v1/nodes").json().toString();
      assertThat(shown).doesNotContain("\\u001B").doesNotContain("\u001b", "\u202e");
      assertThat(shown).contains("owned", "evil", "host");
    }
  }

  @Test
  @Attack("claim a million slots")
  void a_million_slots_are_not_believed() {
    admin.submit(
        "{\"command\":[\"x\"],\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":500}}]}");
    try (Intruder greedy =
        new Intruder(
            server.running().joinToken(),
            (hello, challenge) ->
                Intruder.signed(hello.setSlots(1_000_000), challenge, "greedy"))) {
      greedy.next(Welcome.class);
      assertThat(admin.get("/api/v1/nodes").json().at("/nodes/0/slots").asInt()).isEqualTo(64);
      greedy.say(Waiting.newBuilder().setCount(1_000_000).putCountByUser("admin", 999).build());
      greedy.allSoFar();
      assertThat(admin.get("/api/v1/pool").json().at("/tasks/RUNNING").asInt(0))
          .isLessThanOrEqualTo(200);
    }
    admin.putJson("/api/v1/settings", "{\"agents.max-slots\":\"100\"}");
    try (Intruder greedy =
        new Intruder(
            server.running().joinToken(),
            (hello, challenge) ->
                Intruder.signed(hello.setSlots(1_000_000), challenge, "greedy"))) {
      greedy.next(Welcome.class);
      assertThat(admin.get("/api/v1/nodes").json().at("/nodes/0/slots").asInt()).isEqualTo(100);
    }
  }

  @Test
  @Attack("claim an absurd number of cores to receive every task of the pool")
  void a_machine_of_any_size_holds_a_bounded_number_of_tasks() {
    admin.submit(
        "{\"command\":[\"x\"],\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":6000}}]}");
    BiFunction<Hello.Builder, byte[], Hello.Builder> enormous =
        (hello, challenge) ->
            Intruder.signed(
                hello
                    .setSlots(1_000_000)
                    .setSlotsSet(false)
                    .setPlatformJson(
                        hello.getPlatformJson().replaceFirst("\"cores\":4,", "\"cores\":100000,")),
                challenge,
                "greedy");
    try (Intruder greedy = new Intruder(server.running().joinToken(), enormous)) {
      greedy.next(Welcome.class);
      await()
          .untilAsserted(
              () ->
                  assertThat(admin.get("/api/v1/pool").json().at("/tasks/running").asInt())
                      .isEqualTo(4096));
    }
    admin.putJson("/api/v1/settings", "{\"agents.max-slots\":\"100\"}");
    try (Intruder greedy = new Intruder(server.running().joinToken(), enormous)) {
      greedy.next(Welcome.class);
      assertThat(admin.get("/api/v1/nodes").json().at("/nodes/0/slots").asInt()).isEqualTo(100);
    }
  }

  // ---------------------------------------------------------------- admins

  @Test
  @Attack("come back with a revoked key")
  void keys_are_listed_and_revoked_one_by_one() {
    try (TestAgent good = server.agent("good");
        TestAgent bad = server.agent("bad")) {
      good.nextWelcome();
      String token = bad.nextWelcome().getBlobToken();
      assertThat(keys().findValuesAsText("agent")).containsExactly("agent-bad", "agent-good");
      assertThat(keys().get(0).get("fingerprint").asText()).matches("[0-9a-f]{16}");
      Rest.Reply revoked = admin.post("/api/v1/agents/agent-bad/revoke", "{}");
      assertThat(revoked.status()).isEqualTo(200);
      assertThat(revoked.json().at("/agents/0/revoked").asBoolean()).isTrue();
      assertThat(bad.nextRefused().getReason()).contains("revoked");
      assertThat(server.withToken(token).get("/api/v1/blobs/" + upload("something")).status())
          .isEqualTo(403);
      server.restart();
      assertThat(bad.nextRefused().getReason()).contains("revoked");
      assertThat(keys().findValuesAsText("revoked")).containsExactly("true", "false");
      assertThat(admin.post("/api/v1/agents/nobody/revoke", "{}").status()).isEqualTo(404);
    }
    assertThat(admin.post("/api/v1/agents/agent-bad/readmit", "{}").status()).isEqualTo(200);
    try (TestAgent again = TestAgent.connect(server.running().joinToken(), "bad", "a new key")) {
      again.nextWelcome();
    }
  }

  @Test
  @Attack("join with a token that is used up, expired or closed")
  void join_tokens_can_be_for_so_many_agents_and_so_long() {
    JsonNode made =
        admin.post("/api/v1/joins", "{\"title\":\"lab\",\"agents\":1,\"hours\":2}").json();
    String token = made.get("token").asText();
    try (TestAgent first = TestAgent.connect(token, "first", 1)) {
      first.nextWelcome();
      try (TestAgent second = TestAgent.connect(token, "second", 1)) {
        assertThat(second.nextRefused().getReason()).contains("lab", "1 agents");
      }
    }
    assertThat(admin.method("DELETE", "/api/v1/joins/lab").status()).isEqualTo(204);
    try (TestAgent first = TestAgent.connect(token, "first", 1)) {
      first.nextWelcome(); // it has joined, and comes back by its key
    }
    JsonNode listed = admin.get("/api/v1/joins").json().get("joins");
    assertThat(listed.findValuesAsText("title")).containsExactly("pool", "lab");
    assertThat(listed.get(1).get("joined").asInt()).isEqualTo(1);
    assertThat(listed.get(1).get("revoked").asBoolean()).isTrue();
    assertThat(admin.method("DELETE", "/api/v1/joins/pool").status()).isEqualTo(204);
    try (TestAgent late = server.agent("late")) {
      assertThat(late.nextRefused().getReason()).contains("pool", "revoked");
    }
    assertThat(admin.post("/api/v1/joins", "{\"title\":\"pool\"}").status()).isEqualTo(201);
    try (TestAgent late = server.agent("late")) {
      late.nextWelcome();
    }
  }

  // ---------------------------------------------------------------- messages

  @Test
  @Attack("request the description of a job without holding one of its tasks")
  void jobs_are_described_only_to_agents_that_have_their_tasks() {
    String input = upload("payload");
    long job = admin.submit(SECRET_JOB.formatted(input));
    try (TestAgent honest = server.agent("a")) {
      honest.nextAssignment();
      try (Intruder nosy = Intruder.joined(server, "nosy")) {
        String token = nosy.next(Welcome.class).getBlobToken();
        nosy.say(NeedJob.newBuilder().setJob(job).build());
        assertThat(nosy.allSoFar()).noneMatch(JobDescription.class::isInstance);
        assertThat(server.withToken(token).get("/api/v1/blobs/" + input).status()).isEqualTo(403);
      }
    }
  }

  @Test
  @Attack("fetch the files of a job without holding one of its tasks")
  void files_are_there_for_agents_that_have_their_tasks() {
    String input = upload("payload");
    String other = upload("of somebody else");
    admin.submit(SECRET_JOB.formatted(input));
    try (Intruder agent = Intruder.joined(server, "a")) {
      Rest files = server.withToken(agent.next(Welcome.class).getBlobToken());
      Lease lease = agent.next(Assignment.class).getLease();
      assertThat(files.get("/api/v1/blobs/" + input).text()).isEqualTo("payload");
      assertThat(files.get("/api/v1/blobs/" + other).status()).isEqualTo(403);
      assertThat(files.get("/api/v1/blobs/" + "0".repeat(64)).status())
          .as("nothing tells what others have")
          .isEqualTo(403);
      agent.say(Finished.newBuilder().setLease(lease).setOutcome(Outcome.SUCCEEDED).build());
      agent.next(Confirmed.class);
      assertThat(files.get("/api/v1/blobs/" + input).status()).isEqualTo(403);
    }
  }

  @Test
  @Attack("use the join token for REST and files")
  void a_join_token_opens_nothing_but_the_door() {
    String input = upload("payload");
    Rest knocking =
        server.withToken(
            dev.imker.model.connection.JoinToken.parse(server.running().joinToken()).secret());
    assertThat(knocking.get("/api/v1/blobs/" + input).status()).isEqualTo(403);
    assertThat(knocking.put("/api/v1/blobs/" + input, bytes("payload")).status()).isEqualTo(403);
    assertThat(knocking.get("/api/v1/jobs").status()).isEqualTo(403);
  }

  @Test
  @Attack("store files without a lease")
  void files_are_stored_only_for_tasks_that_the_agent_has() {
    admin.submit("{\"command\":[\"x\"],\"outputs\":[\"*\"]}");
    String result = Rest.sha256(bytes("result"));
    try (Intruder agent = Intruder.joined(server, "a")) {
      String token = agent.next(Welcome.class).getBlobToken();
      Lease lease = agent.next(Assignment.class).getLease();
      try (Intruder nosy = Intruder.joined(server, "nosy")) {
        String foreign = nosy.next(Welcome.class).getBlobToken();
        assertThat(put(foreign, header(lease), result, bytes("result")).errorCode())
            .isEqualTo("no_lease");
        assertThat(put(foreign, "nonsense", result, bytes("result")).errorCode())
            .isEqualTo("no_lease");
        assertThat(put(foreign, "x", BandwidthNoise.BLOB.sha256(), BandwidthNoise.bytes()).status())
            .isEqualTo(201);
      }
      assertThat(put(token, header(lease), result, bytes("result")).status()).isEqualTo(201);
    }
  }

  @Test
  void what_a_running_task_has_saved_is_listed_and_can_be_fetched_by_its_owner_alone() {
    People people = new People(server);
    Rest ulla = people.add("ulla", "USER");
    Rest otto = people.add("otto", "USER");
    long job = ulla.submit("{\"command\":[\"x\"],\"rules\":{\"checkpoints\":[\"*\"]}}");
    String state = Rest.sha256(bytes("half way"));
    String path = "/api/v1/tasks/" + job + ".1";
    try (Intruder agent = Intruder.joined(server, "a")) {
      String token = agent.next(Welcome.class).getBlobToken();
      Lease lease = agent.next(Assignment.class).getLease();
      assertThat(ulla.get(path).json().has("saved")).isFalse();
      assertThat(put(token, header(lease), state, bytes("half way")).status()).isEqualTo(201);
      agent.say(
          Checkpoint.newBuilder()
              .setLease(lease)
              .addFiles(
                  ResultFile.newBuilder().setPath("out/state").setSha256(state).setSize(8).build())
              .build());
      await().until(() -> ulla.get(path).json().has("saved"));
      assertThat(ulla.get("/api/v1/jobs/" + job + "/tasks").json().at("/tasks/0/saved/0/path"))
          .hasToString("\"out/state\"");
      assertThat(ulla.get(path + "/results/out/state").text()).isEqualTo("half way");
      assertThat(otto.get(path + "/results/out/state").status()).isEqualTo(404);
      agent.say(Finished.newBuilder().setLease(lease).setOutcome(Outcome.SUCCEEDED).build());
      agent.next(Confirmed.class);
      assertThat(ulla.get(path).json().has("saved")).isFalse();
      assertThat(ulla.get(path + "/results/out/state").status()).isEqualTo(404);
    }
  }

  @Test
  @Attack("turn somebody else's file into a result by its hash")
  void a_file_of_somebody_else_cannot_be_made_a_result_by_its_hash() {
    People people = new People(server);
    Rest otto = people.add("otto", "USER");
    Rest ulla = people.add("ulla", "USER");
    String theirs = otto.upload(bytes("private"));
    long job =
        ulla.submit("{\"command\":[\"x\"],\"outputs\":[\"*\"],\"rules\":{\"maxFailures\":1}}");
    try (Intruder agent = Intruder.joined(server, "a")) {
      Lease lease = agent.next(Assignment.class).getLease();
      ResultFile stolen = ResultFile.newBuilder().setPath("a").setSha256(theirs).setSize(7).build();
      agent.say(Checkpoint.newBuilder().setLease(lease).addFiles(stolen).build());
      agent.say(
          Finished.newBuilder()
              .setLease(lease)
              .setOutcome(Outcome.SUCCEEDED)
              .addResults(stolen)
              .build());
      agent.next(Confirmed.class);
      assertThat(ulla.get("/api/v1/tasks/" + job + ".1").text()).contains("never arrived");
      assertThat(ulla.get("/api/v1/blobs/" + theirs).status()).isEqualTo(404);
    }
  }

  @Test
  @Attack("write into the live log of somebody else's task")
  void live_logs_and_progress_come_only_from_the_agent_that_runs_the_task() throws Exception {
    long job = admin.submit("{\"command\":[\"x\"]}");
    try (TestAgent honest = server.agent("a")) {
      Lease lease = honest.nextAssignment().getLease();
      try (Intruder liar = Intruder.joined(server, "liar")) {
        liar.next(Welcome.class);
        liar.say(Progress.newBuilder().setLease(lease).setFraction(0.9).setText("lie").build());
        liar.say(
            LogChunk.newBuilder()
                .setLease(lease)
                .setData(ByteString.copyFromUtf8("lie"))
                .setLast(true)
                .build());
        liar.allSoFar();
        assertThat(admin.get("/api/v1/tasks/" + job + ".1").text()).doesNotContain("lie");
      }
      honest.log(lease, LogChunk.Stream.STDOUT, 0, "truth");
    }
  }

  @Test
  @Attack("report results of a task that another agent holds")
  void results_of_others_are_not_believed() {
    long job = admin.submit("{\"command\":[\"x\"],\"rules\":{\"trust\":9}}");
    try (TestAgent honest = server.agent("a")) {
      honest.nextWelcome();
      admin.putJson("/api/v1/nodes/a/trust", "{\"level\":9}");
      Lease lease = honest.nextAssignment().getLease();
      try (Intruder liar = Intruder.joined(server, "liar")) {
        liar.next(Welcome.class);
        liar.say(Finished.newBuilder().setLease(lease).setOutcome(Outcome.SUCCEEDED).build());
        assertThat(liar.next(Confirmed.class).getAccepted()).isFalse();
      }
      assertThat(admin.job(job).at("/status").asText()).isEqualTo("RUNNING");
    }
  }

  // ---------------------------------------------------------------- nonsense

  @Test
  @Attack("make the server drop all agents with one malformed message")
  void a_session_that_sends_nonsense_is_closed_and_no_other() {
    admin.submit("{\"command\":[\"x\"]}");
    try (TestAgent honest = server.agent("a")) {
      Assignment task = honest.nextAssignment();
      List<Object> nonsense =
          List.of(
              Finished.newBuilder().setLease(Lease.newBuilder().setIndex(-1)).build(),
              SignOfLife.newBuilder().addHeld(Lease.newBuilder().setIndex(-5)).build(),
              Waiting.newBuilder().setCount(-1).build(),
              Progress.newBuilder().setLease(Lease.newBuilder().setIndex(-7)).build(),
              LogChunk.newBuilder().setLease(Lease.newBuilder().setIndex(-7)).build());
      for (Object message : nonsense) {
        try (Intruder odd = Intruder.joined(server, "odd")) {
          odd.next(Welcome.class);
          odd.say(message);
          odd.awaitHungUp();
        }
      }
      try (Intruder odd = Intruder.joined(server, "odd")) {
        odd.next(Welcome.class);
        odd.say(NeedJob.newBuilder().setJob(1).setStage(0xFFFFFFFF).build());
        odd.say(NeedJob.newBuilder().setJob(-1).setStage(0).build());
        odd.say(PlatformChanged.newBuilder().setPlatformJson("[]").build());
      }
      assertThat(honest.waitingWelcomes()).isEqualTo(1);
      honest.finish(TestAgent.success(task));
      assertThat(honest.nextConfirmed().getAccepted()).isTrue();
    }
    await()
        .untilAsserted(
            () -> assertThat(admin.get("/api/v1/audit").text()).contains("makes no sense"));
  }
}
