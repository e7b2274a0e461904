package dev.imker.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.ImkerProcess;
import dev.imker.cli.PoolFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code imker plan} as a user calls it. */
class PlanCommandTest {
  private static final Path EXAMPLES =
      Path.of(Objects.requireNonNull(System.getProperty("imker.root")), "examples/planner");
  private static final Path DOMAIN = EXAMPLES.resolve("cargo-domain.pddl");
  private static final Path PROBLEM = EXAMPLES.resolve("cargo-two-freights.pddl");

  @TempDir Path folder;

  private ImkerProcess.Finished plan(Path domain, Path problem, String... more) {
    String[] arguments = new String[5 + more.length];
    arguments[0] = "plan";
    arguments[1] = "--domain";
    arguments[2] = domain.toString();
    arguments[3] = "--problem";
    arguments[4] = problem.toString();
    System.arraycopy(more, 0, arguments, 5, more.length);
    return ImkerProcess.run(folder, arguments);
  }

  @Test
  void a_plan_is_told_as_json_and_drawn() throws IOException {
    Path dot = folder.resolve("plan.dot");
    ImkerProcess.Finished run = plan(DOMAIN, PROBLEM, "--json", "--dot", dot.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    JsonNode result = PoolFixture.json(run.out());
    assertThat(result.path("status").asText()).isEqualTo("solved");
    assertThat(result.path("steps").asInt()).isEqualTo(3);
    assertThat(result.path("actions").asInt()).isEqualTo(5);
    assertThat(result.path("plan")).hasSize(3);
    assertThat(result.path("plan").get(1)).hasSize(1);
    assertThat(result.has("millis") && result.has("levels")).isTrue();
    assertThat(Files.readString(dot)).startsWith("digraph");
  }

  @Test
  void no_plan_is_proved_also_when_it_was_to_be_drawn() throws IOException {
    String text = Files.readString(PROBLEM);
    Path problem = Files.writeString(folder.resolve("p.pddl"), text.replace("(at p a)", ""));
    ImkerProcess.Finished run =
        plan(DOMAIN, problem, "--json", "--dot", folder.resolve("none.dot").toString());
    assertThat(run.exitCode()).as(run.out() + run.err()).isEqualTo(1);
    assertThat(PoolFixture.json(run.out()).path("status").asText()).isEqualTo("unsolvable");
    assertThat(PoolFixture.json(run.out()).path("unreachable")).isNotEmpty();
    assertThat(folder.resolve("none.dot")).doesNotExist();
  }

  @Test
  void bad_input_is_told_with_its_place() throws IOException {
    Path broken = Files.writeString(folder.resolve("d.pddl"), "(define (domain x)\n  (:oops");
    ImkerProcess.Finished run = plan(broken, PROBLEM, "--json");
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err()).contains("d.pddl:line 2");
    JsonNode error = PoolFixture.json(run.out());
    assertThat(error.path("status").asText()).isEqualTo("error");
    assertThat(error.path("line").asInt()).isEqualTo(2);
    assertThat(plan(DOMAIN, folder.resolve("missing.pddl")).exitCode()).isEqualTo(3);
    assertThat(plan(DOMAIN, PROBLEM, "--timeout", "-1").err()).contains("--timeout -1");
  }

  @Test
  void a_plan_is_told_also_when_it_cannot_be_drawn() {
    Path dot = folder.resolve("missing/plan.dot");
    ImkerProcess.Finished run = plan(DOMAIN, PROBLEM, "--dot", dot.toString());
    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.out()).contains("3 parallel steps");
    assertThat(run.err()).contains("plan.dot: there is no such folder");
  }

  @Test
  void an_action_that_fails_for_good_is_gone_around_in_a_real_pool() throws IOException {
    String text = Files.readString(PROBLEM);
    Path problem =
        Files.writeString(
            folder.resolve("p.pddl"),
            text.replace("p - plane", "p q - plane").replace("(at p a)", "(at p a) (at q a)"));
    Path first = folder.resolve("first-flight");
    Path actions =
        Files.writeString(
            folder.resolve("actions.yaml"),
            """
            name: delivery
            strategy: replan
            max-failures: 1
            actions:
              load:
                command: echo ${f} in ${p} > bill.txt
                makes: {'(in ?f ?p)': bill.txt}
              unload:
                command: cat bills/bill.txt
                uses: {'(in ?f ?p)': bills}
              fly:
                command: if mkdir %s; then exit 3; fi; echo ${p} from ${from} to ${to}
                undo: echo ${p} is repaired
            """
                .formatted(first));
    try (PoolFixture pool = PoolFixture.start(folder.resolve("pool"))) {
      pool.addAgent("one", 2);
      ImkerProcess.Finished run =
          pool.imker(
              "plan",
              DOMAIN.toString(),
              problem.toString(),
              "--bind",
              actions.toString(),
              "--run",
              "--wait");
      assertThat(run.exitCode()).as(run.out() + run.err()).isZero();
      assertThat(run.err()).contains("continues with another plan, without (fly ");
      assertThat(run.out()).contains("is repaired", "from a to b").containsPattern("f1 in [pq]");
    }
  }

  @Test
  void the_job_of_a_plan_can_be_looked_at_and_mistakes_are_told_with_their_place()
      throws IOException {
    Path actions = EXAMPLES.resolve("cargo-actions.yaml");
    ImkerProcess.Finished run = plan(DOMAIN, PROBLEM, "--bind", actions.toString(), "--dry-run");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).contains("name: fly-p-a-b", "name: unload-f1-p-b");
    Path wrong =
        Files.writeString(
            folder.resolve("wrong.yaml"),
            Files.readString(actions)
                .replace("command: echo fly", "comand: echo fly")
                .replace("  unload:", "  unlod:"));
    ImkerProcess.Finished refused = plan(DOMAIN, PROBLEM, "--bind", wrong.toString(), "--run");
    assertThat(refused.exitCode()).isEqualTo(3);
    assertThat(refused.err())
        .contains("actions.unlod: The domain has no action 'unlod'. Did you mean")
        .contains("The action 'unload' of the domain is not bound to a command.");
    assertThat(plan(DOMAIN, PROBLEM, "--run").err()).contains("--bind actions.yaml");
  }
}
