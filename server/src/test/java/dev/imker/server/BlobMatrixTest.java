package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.BandwidthNoise;
import dev.imker.model.connection.JoinToken;
import dev.imker.testbase.Attack;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Lease;
import dev.imker.wire.proto.Welcome;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every way to a file, for every kind of caller, with own and other people's files. */
class BlobMatrixTest {
  private enum Caller {
    NOBODY,
    WRONG,
    JOINER,
    METRICS,
    /** A running task of ulla's. */
    TASK,
    VIEWER,
    /** Ulla. */
    USER,
    ADMIN,
    /** The agent that has ulla's task. */
    HOLDER,
    /** An agent without a task. */
    IDLE,
    REVOKED
  }

  private enum Blob {
    /** Ulla brought it; no task needs it. */
    OF_ULLA,
    /** The input of ulla's task that runs. */
    INPUT,
    OF_OTTO,
    /** What every agent measures its bandwidth with. */
    COMMON,
    ABSENT
  }

  private enum Way {
    GET,
    HEAD,
    /** Whether the user of a task has it. */
    HEAD_FOR_TASK,
    /** Whether it has to be sent; told of what one has oneself only. */
    MISSING,
    /** As the input of a job. */
    SUBMIT
  }

  private static final Set<Caller> NONE = EnumSet.noneOf(Caller.class);
  private static final Set<Caller> ADMIN = EnumSet.of(Caller.ADMIN);
  private static final Set<Caller> OWNERS = EnumSet.of(Caller.USER, Caller.ADMIN);

  /** Who gets what: everybody else is refused. */
  private static final Map<Way, Map<Blob, Set<Caller>>> WHO =
      Map.of(
          Way.GET, reading(),
          Way.HEAD, reading(),
          Way.HEAD_FOR_TASK,
              Map.of(
                  Blob.OF_ULLA, EnumSet.of(Caller.USER, Caller.ADMIN, Caller.HOLDER),
                  Blob.INPUT, EnumSet.of(Caller.USER, Caller.ADMIN, Caller.HOLDER),
                  Blob.OF_OTTO, ADMIN,
                  Blob.COMMON, ADMIN,
                  Blob.ABSENT, NONE),
          Way.MISSING, working(),
          Way.SUBMIT, working());

  private static Map<Blob, Set<Caller>> reading() {
    return Map.of(
        Blob.OF_ULLA, OWNERS,
        Blob.INPUT, EnumSet.of(Caller.USER, Caller.ADMIN, Caller.HOLDER),
        Blob.OF_OTTO, ADMIN,
        // It belongs to nobody: an agent that is revoked learns nothing from it.
        Blob.COMMON, EnumSet.of(Caller.ADMIN, Caller.HOLDER, Caller.IDLE, Caller.REVOKED),
        Blob.ABSENT, NONE);
  }

  private static Map<Blob, Set<Caller>> working() {
    return Map.of(
        Blob.OF_ULLA, OWNERS,
        Blob.INPUT, OWNERS,
        Blob.OF_OTTO, ADMIN,
        Blob.COMMON, ADMIN,
        Blob.ABSENT, NONE);
  }

  /** Who stores a file: for oneself, and for a task. */
  private static final Set<Caller> STORE = OWNERS;

  private static final Set<Caller> STORE_FOR_TASK =
      EnumSet.of(Caller.USER, Caller.ADMIN, Caller.HOLDER);

  @TempDir static Path folder;
  private static TestServer server;
  private static Intruder holder;
  private static Lease lease = Lease.getDefaultInstance();
  private static final Map<Caller, String> TOKENS = new EnumMap<>(Caller.class);
  private static final Map<Blob, String> BLOBS = new EnumMap<>(Blob.class);
  private static int stored;

  @BeforeAll
  static void start() {
    server = TestServer.start(folder);
    People people = new People(server);
    Rest ulla = people.add("ulla", "USER");
    TOKENS.put(Caller.NOBODY, "");
    TOKENS.put(Caller.WRONG, "imker-u-wrong");
    TOKENS.put(Caller.JOINER, JoinToken.parse(server.running().joinToken()).secret());
    TOKENS.put(
        Caller.METRICS, server.admin().get("/api/v1/metrics-token").json().get("token").asText());
    TOKENS.put(Caller.VIEWER, people.add("vera", "VIEWER").token());
    TOKENS.put(Caller.USER, ulla.token());
    TOKENS.put(Caller.ADMIN, server.admin().token());
    BLOBS.put(Blob.OF_ULLA, ulla.upload(bytes("of ulla")));
    BLOBS.put(Blob.INPUT, ulla.upload(bytes("an input")));
    BLOBS.put(Blob.OF_OTTO, people.add("otto", "USER").upload(bytes("of otto")));
    BLOBS.put(Blob.COMMON, BandwidthNoise.BLOB.sha256());
    BLOBS.put(Blob.ABSENT, Rest.sha256(bytes("not here")));
    ulla.submit(job(BLOBS.get(Blob.INPUT), 8));
    holder = Intruder.joined(server, "holder");
    String token = holder.next(Welcome.class).getBlobToken();
    lease = holder.next(Assignment.class).getLease();
    TOKENS.put(Caller.HOLDER, token);
    TOKENS.put(Caller.TASK, People.sign(Rest.leaseHeader(lease), token));
    for (Caller agent : List.of(Caller.IDLE, Caller.REVOKED)) {
      try (TestAgent idle = server.agent(agent.name())) {
        TOKENS.put(agent, idle.nextWelcome().getBlobToken());
      }
    }
    assertThat(server.admin().post("/api/v1/agents/agent-REVOKED/revoke", "{}").status())
        .isEqualTo(200);
    Rest agent = as(Caller.HOLDER);
    assertThat(
            agent.put("/api/v1/blobs/" + BLOBS.get(Blob.COMMON), BandwidthNoise.bytes()).status())
        .isEqualTo(201);
  }

  @AfterAll
  static void stop() {
    holder.close();
    server.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String job(String blob, long size) {
    return "{\"command\":[\"x\"],\"outputs\":[\"*\"],\"inputs\":[{\"path\":\"a\",\"blob\":\"%s\",\"size\":%d}]}"
        .formatted(blob, size);
  }

  private static Rest as(Caller caller) {
    return server.withToken(TOKENS.getOrDefault(caller, ""));
  }

  @Test
  void table_has_every_way_and_every_kind_of_file() {
    assertThat(WHO.keySet()).containsExactlyInAnyOrder(Way.values());
    WHO.values().forEach(row -> assertThat(row.keySet()).containsExactlyInAnyOrder(Blob.values()));
    assertThat(TOKENS.keySet()).containsExactlyInAnyOrder(Caller.values());
  }

  @TestFactory
  @Attack(
      value = "read, ask for or use a file that is not one's own, as every kind of caller",
      cases = 25)
  List<DynamicTest> every_file_is_there_only_for_those_it_is_for() {
    List<DynamicTest> tests = new ArrayList<>();
    WHO.forEach(
        (way, row) ->
            row.forEach(
                (blob, who) ->
                    tests.add(
                        DynamicTest.dynamicTest(
                            way + " " + blob + " is for " + who, () -> check(way, blob, who)))));
    return tests;
  }

  private static void check(Way way, Blob blob, Set<Caller> who) {
    String sha256 = BLOBS.getOrDefault(blob, "");
    long size = blob == Blob.COMMON ? BandwidthNoise.BYTES : blob == Blob.INPUT ? 8 : 7;
    for (Caller caller : Caller.values()) {
      Rest rest = as(caller);
      String path = "/api/v1/blobs/" + sha256;
      Rest.Reply reply =
          switch (way) {
            case GET -> rest.get(path);
            case HEAD -> rest.send(head(rest, path));
            case HEAD_FOR_TASK ->
                rest.send(head(rest, path).header("Imker-Lease", Rest.leaseHeader(lease)));
            case MISSING ->
                rest.post("/api/v1/blobs/missing", "{\"blobs\":[\"%s\"]}".formatted(sha256));
            case SUBMIT -> rest.post("/api/v1/jobs", job(sha256, size));
          };
      boolean has =
          reply.status() / 100 == 2 && !(way == Way.MISSING && reply.text().contains(sha256));
      assertThat(has).as(caller + ": " + reply.status()).isEqualTo(who.contains(caller));
      if (caller == Caller.NOBODY || caller == Caller.WRONG) {
        assertThat(reply.status()).as(caller.name()).isEqualTo(401);
      }
    }
  }

  private static HttpRequest.Builder head(Rest rest, String path) {
    return rest.request(path).method("HEAD", BodyPublishers.noBody());
  }

  @TestFactory
  @Attack(value = "store a file without a right or a task", cases = 11)
  List<DynamicTest> files_are_stored_only_by_those_who_may() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Caller caller : Caller.values()) {
      tests.add(
          DynamicTest.dynamicTest(
              caller.name(),
              () -> {
                checkStore(caller, "", STORE);
                checkStore(caller, Rest.leaseHeader(lease), STORE_FOR_TASK);
                checkStore(caller, "999-0-1-0", STORE);
              }));
    }
    return tests;
  }

  private static void checkStore(Caller caller, String forTask, Set<Caller> who) {
    byte[] content = bytes("new " + ++stored);
    String path = "/api/v1/blobs/" + Rest.sha256(content);
    Rest rest = as(caller);
    HttpRequest.Builder request = rest.request(path).PUT(BodyPublishers.ofByteArray(content));
    Rest.Reply reply =
        rest.send(forTask.isEmpty() ? request : request.header("Imker-Lease", forTask));
    assertThat(reply.status() == 201)
        .as(caller + ": " + reply.text())
        .isEqualTo(who.contains(caller));
    assertThat(server.admin().get(path).status()).isEqualTo(who.contains(caller) ? 200 : 404);
  }
}
