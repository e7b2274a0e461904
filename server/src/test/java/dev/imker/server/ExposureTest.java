package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.testbase.Attack;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents without a sandbox, in a pool of one account and of several. */
class ExposureTest {
  @TempDir Path folder;
  private TestServer server;
  private TestAgent agent;

  @BeforeEach
  void start() {
    server = TestServer.start(folder);
    agent = TestAgent.unsandboxed(server.running().joinToken(), "bare", 1);
    agent.nextWelcome();
  }

  @AfterEach
  void stop() {
    agent.close();
    server.close();
  }

  private JsonNode node() {
    return server.admin().get("/api/v1/nodes/bare").json();
  }

  private String sandbox() {
    return node().at("/agents/0/sandbox").asText();
  }

  private static String explain(Rest who, long job) {
    return who.get("/api/v1/tasks/" + job + ".1/explain").json().path("text").asText();
  }

  @Test
  void a_pool_of_one_account_uses_them() {
    server.admin().submit("{\"command\":[\"x\"]}");
    agent.finish(TestAgent.success(agent.nextAssignment()));
    assertThat(sandbox()).isEqualTo("off, tasks of admins only");
  }

  @Test
  @Attack("pose as an admin to an agent, which lets tasks of admins into its network")
  void agents_are_told_whose_tasks_are_those_of_admins() {
    server.admin().post("/api/v1/nodes/bare/terms", "{\"unsandboxed\":true}");
    Rest ulla = new People(server).add("ulla", "USER");
    ulla.submit("{\"command\":[\"x\"]}");
    var hers = agent.nextAssignment();
    assertThat(hers.getOfAdmin()).isFalse();
    agent.finish(TestAgent.success(hers));
    server.admin().submit("{\"command\":[\"x\"]}");
    var own = agent.nextAssignment();
    assertThat(own.getOfAdmin()).isTrue();
    agent.finish(TestAgent.success(own));
  }

  @Test
  @Attack("have queued tasks run without a sandbox after the account was removed")
  void what_a_removed_account_has_left_waits_as_before() {
    Rest eve = new People(server).add("eve", "USER");
    long hers = eve.submit("{\"name\":\"hers\",\"command\":[\"x\"]}");
    server.admin().method("DELETE", "/api/v1/users/eve");
    long own = server.admin().submit("{\"name\":\"own\",\"command\":[\"x\"]}");
    var next = agent.nextAssignment();
    assertThat(next.getLease().getJob()).isEqualTo(own);
    agent.finish(TestAgent.success(next));
    assertThat(agent.waitingAssignments()).isEmpty();
    server.restart();
    agent.nextWelcome();
    long later = server.admin().submit("{\"name\":\"later\",\"command\":[\"x\"]}");
    next = agent.nextAssignment();
    assertThat(next.getLease().getJob()).isEqualTo(later);
    agent.finish(TestAgent.success(next));
    assertThat(explain(server.admin(), hers)).contains("bare: has no sandbox");
  }

  @Test
  @Attack("read the admin's files with a job on an agent without a sandbox")
  void tasks_of_others_wait_until_an_admin_allows_the_node_by_name() {
    Rest ulla = new People(server).add("ulla", "USER");
    long hers = ulla.submit("{\"name\":\"hers\",\"command\":[\"x\"]}");
    long own = server.admin().submit("{\"name\":\"own\",\"command\":[\"x\"]}");
    var first = agent.nextAssignment();
    assertThat(first.getLease().getJob()).isEqualTo(own);
    agent.finish(TestAgent.success(first));
    assertThat(explain(ulla, hers)).contains("bare: has no sandbox", "allow-unsandboxed bare");
    assertThat(sandbox()).isEqualTo("off, tasks of admins only");

    assertThat(ulla.post("/api/v1/nodes/bare/terms", "{\"unsandboxed\":true}").status())
        .isEqualTo(403);
    server.restart();
    agent.nextWelcome();
    long later = server.admin().submit("{\"name\":\"later\",\"command\":[\"x\"]}");
    var second = agent.nextAssignment();
    assertThat(second.getLease().getJob()).isEqualTo(later);
    agent.finish(TestAgent.success(second));

    server.admin().post("/api/v1/nodes/bare/terms", "{\"unsandboxed\":true,\"why\":\"ours\"}");
    var third = agent.nextAssignment();
    assertThat(third.getLease().getJob()).isEqualTo(hers);
    agent.finish(TestAgent.success(third));
    assertThat(sandbox()).isEqualTo("off, allowed by admin: ours");
    assertThat(server.admin().get("/api/v1/audit").text()).contains("/nodes/bare/terms");

    server.restart();
    agent.nextWelcome();
    assertThat(sandbox()).isEqualTo("off, allowed by admin: ours");
    server.admin().post("/api/v1/nodes/bare/terms", "{\"unsandboxed\":false}");
    await().untilAsserted(() -> assertThat(sandbox()).isEqualTo("off, tasks of admins only"));
  }

  @Test
  void an_account_that_becomes_an_admin_no_longer_waits() {
    People people = new People(server);
    Rest ulla = people.add("ulla", "USER");
    ulla.submit("{\"command\":[\"x\"]}");
    assertThat(agent.waitingAssignments()).isEmpty();
    server.admin().putJson("/api/v1/users/ulla", "{\"role\":\"ADMIN\"}");
    agent.finish(TestAgent.success(agent.nextAssignment()));
    assertThat(agent.waitingAssignments()).isEmpty();
  }
}
