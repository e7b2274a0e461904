package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.imker.agent.AgentSettings;
import dev.imker.agent.RunningAgent;
import dev.imker.agent.start.ImkerAgent;
import dev.imker.model.connection.JoinToken;
import dev.imker.server.ImkerServer;
import dev.imker.server.RunningServer;
import dev.imker.server.ServerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InBrowser.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NodePagesTest {
  /** Of how many machines it is known what they use. */
  private static final String SEEN_USES =
      """
      async () => {
        const read = async (path) => (await fetch("api/v1/" + path)).json();
        const { rows } = await read("figures/nodes");
        const uses = await Promise.all(rows.map((row) => read(`nodes/${row[0]}/usage`)));
        return uses.filter((one) => one.points.length > 0).length;
      }
      """;

  private static Locator agentRow(Visit visit, String name) {
    return visit
        .page()
        .getByRole(AriaRole.ROW)
        .filter(new Locator.FilterOptions().setHasText(name))
        .first();
  }

  @Test
  void nodes_are_listed_with_their_figures(Visit visit) {
    visit.open("nodes", "Nodes");
    Page page = visit.page();
    assertThat(page.locator("imker-nodes > section tbody tr")).hasCount(1);
    assertThat(page.locator("imker-nodes td[title^=linux]")).containsText(" / 4");
    assertThat(page.locator("imker-plot")).hasCount(0); // a machine alone has no distribution
    assertThat(visit.barriers()).isEmpty();
    visit.wholePicture("nodes");
    page.locator("tbody a").first().click();
    assertThat(page.getByText("How the scheduler sees it")).isVisible();
    assertThat(page.locator("imker-plot[data-drawn]")).hasCount(5);
    assertThat(visit.barriers()).isEmpty();
    visit.wholePicture("node");
  }

  @Test
  void resources_of_the_pool_are_set_and_removed(Visit visit) {
    visit.open("nodes", "Nodes");
    Page page = visit.page();
    visit.button("Add a resource").click();
    page.getByRole(AriaRole.DIALOG).getByLabel("Name").fill("matlab-licences");
    page.getByRole(AriaRole.DIALOG).getByLabel("Amount").fill("5");
    inDialog(visit, "Set it").click();
    assertThat(page.locator("imker-resources tbody tr")).containsText("0 / 5");
    assertThat(visit.barriers()).isEmpty();
    visit.button("Remove matlab-licences").click();
    inDialog(visit, "Remove").click();
    assertThat(page.locator("imker-resources tbody tr")).hasCount(0);
  }

  /** A pool of its own: nobody has joined yet, and it has a certificate. */
  @Test
  void machines_join_by_line_code_or_pairing_and_show_how_they_are_spread(
      Visit visit, @TempDir Path folder) throws IOException {
    ServerSettings settings =
        ServerSettings.of(folder.resolve("pool")).withPort(0).withTls().withSignOfLifeMillis(500);
    Browser.NewContextOptions trusting = new Browser.NewContextOptions().setIgnoreHTTPSErrors(true);
    List<RunningAgent> agents = new ArrayList<>();
    try (RunningServer pool = ImkerServer.start(settings);
        BrowserContext window = visit.world().stranger(trusting)) {
      Page page = window.newPage();
      page.navigate(pool.loginLink());
      page.navigate(pool.address() + "/#/nodes");
      page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Show a code")).click();
      assertThat(page.locator(".pairing-code")).hasText(Pattern.compile("\\d{4}-\\d{4}"));
      Locator code = page.getByLabel("QR code of the line");
      assertThat(QrCodes.read(code.screenshot()))
          .isEqualTo(page.locator(".join-line").first().textContent());
      assertThat(Accessibility.barriers(page)).isEmpty();
      for (String name : List.of("ada", "bea", "cleo")) {
        agents.add(
            ImkerAgent.start(
                AgentSettings.of(JoinToken.parse(pool.joinToken()), folder.resolve(name))
                    .withName(name)
                    .withSlots(1)
                    .withLowestPriority(false)));
      }
      assertThat(page.locator("imker-nodes > section tbody tr")).hasCount(3);
      for (String plot : List.of("Nodes by reliability", "Nodes by how long they are usually up")) {
        assertThat(page.getByLabel(plot)).isVisible();
      }
      assertThat(page.locator("imker-nodes > .grid imker-plot[data-drawn]")).hasCount(3);
      // They are told apart, although they are one machine.
      await().until(() -> page.evaluate(SEEN_USES).equals(3));
      page.getByText("Logarithmic").click();
      assertThat(page.getByText("Logarithmic")).hasAttribute("aria-pressed", "true");
      assertThat(Accessibility.barriers(page)).isEmpty();
    } finally {
      agents.forEach(RunningAgent::close);
    }
  }

  /** Each version of the code is read, at its smallest and its largest text. */
  @Test
  void qr_codes_of_all_sizes_are_read(Visit visit) throws IOException {
    visit.open("nodes", "Nodes");
    Page page = visit.page();
    List<?> lengths =
        (List<?>)
            page.evaluate(
                """
                async () => {
                  const { modules } = await import(document.querySelector("script[src]").src.replace("app.js", "components/qr.js"));
                  window.drawn = (text) => {
                    const rows = modules(text), size = (rows.length + 8) * 3;
                    const canvas = Object.assign(document.createElement("canvas"), { width: size, height: size });
                    const pen = canvas.getContext("2d");
                    pen.fillStyle = "#fff";
                    pen.fillRect(0, 0, size, size);
                    pen.fillStyle = "#000";
                    rows.forEach((row, y) => row.forEach((dark, x) => dark && pen.fillRect(3 * (x + 4), 3 * (y + 4), 3, 3)));
                    return canvas.toDataURL("image/png").split(",")[1];
                  };
                  const lengths = [1];
                  for (let length = 2, version = 21; length <= 2331; length++) {
                    const size = modules("x".repeat(length)).length;
                    if (size !== version) lengths.push(length - 1, length);
                    version = size;
                    if (length > 300) length += 40;
                  }
                  return [...lengths, 2331];
                }
                """);
    assertThat(lengths).hasSizeGreaterThan(60);
    for (Object length : lengths) {
      String text = "Imker, naïve \u2192 ".repeat(200).substring(0, ((Number) length).intValue());
      text = text.getBytes(StandardCharsets.UTF_8).length > 2331 ? text.substring(0, 1900) : text;
      byte[] png = Base64.getDecoder().decode((String) page.evaluate("drawn", text));
      assertThat(QrCodes.readDrawn(png)).isEqualTo(text);
    }
    assertThat(
            page.evaluate(
                "text => { try { drawn(text); } catch { return 'none'; } }", "x".repeat(2332)))
        .isEqualTo("none");
  }

  /** The last one: a killed agent stays in the list as a machine that is away. */
  @Test
  @Order(Integer.MAX_VALUE)
  void an_agent_that_is_killed_is_seen_to_be_away(Visit visit) {
    visit.open("admin?tab=agents", "Admin");
    try (AgentProcess _ = AgentProcess.start(visit.world(), "victim")) {
      assertThat(agentRow(visit, "victim").locator(".chip.connected")).isVisible();
    }
    assertThat(agentRow(visit, "victim").locator(".chip.away")).isVisible();
    agentRow(visit, "victim").getByRole(AriaRole.LINK).click();
    assertThat(visit.page().getByText("It went away once in the last 30 days")).isVisible();
    assertThat(visit.page().getByText("and has not come back.")).isVisible();
    assertThat(visit.page().locator("[aria-labelledby=reasons-title] tbody")).containsText("still");
  }

  private static String machine(Visit visit) {
    return visit.world().calls().get("/api/v1/nodes/bee-1").path("name").asText();
  }

  private static Locator inDialog(Visit visit, String button) {
    return visit
        .page()
        .getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button));
  }

  @Test
  void a_machine_is_drained_and_gets_work_again(Visit visit) {
    visit.open("admin?tab=agents", "Admin");
    visit.button("Drain " + machine(visit)).click();
    inDialog(visit, "Drain").click();
    assertThat(agentRow(visit, "bee-2").locator(".chip.draining")).isVisible();
    visit.button("Undrain " + machine(visit)).click();
    assertThat(agentRow(visit, "bee-2").locator(".chip.connected")).isVisible();
  }

  @Test
  void a_pause_freezes_what_runs_and_says_who_and_why(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long job = calls.submit("imker: 1\nname: frozen\ncommand: sleep 2; echo thawed\n");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> calls.get("/api/v1/jobs/" + job).at("/counts/ready").asInt() == 0);
    visit.open("admin?tab=agents", "Admin");
    visit.button("Pause " + machine(visit)).click();
    visit.page().getByLabel("Reason").fill("new fan");
    assertThat(visit.barriers()).isEmpty();
    inDialog(visit, "Pause").click();
    try {
      assertThat(visit.page().locator(".terms")).containsText("paused by admin");
      assertThat(agentRow(visit, "bee-1").locator(".chip.paused")).isVisible();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> pause(calls, "bee-2").equals("by admin: new fan"));
      visit.picture("admin-agents");
      visit.open("nodes?state=paused", "Nodes");
      assertThat(visit.page().locator("tbody .chip.paused")).isVisible();
      visit.button("Actions for " + machine(visit)).click();
      visit.button("Resume " + machine(visit)).click();
      assertThat(visit.page().getByText("No node matches")).isVisible();
    } finally {
      calls.post("/api/v1/nodes/bee-1/terms", Map.of("paused", false));
    }
    visit.open("job/" + job, "frozen #" + job);
    assertThat(visit.page().locator(".page-head .chip.done")).isVisible();
  }

  /** What an agent says of why it is paused. */
  private static String pause(PoolCalls calls, String name) {
    for (JsonNode agent : calls.get("/api/v1/nodes/bee-1").path("agents")) {
      if (agent.path("name").asText().equals(name)) {
        return agent.path("pause").asText();
      }
    }
    return "";
  }

  @Test
  void a_machine_is_restricted_and_says_what_it_is_for(Visit visit) {
    visit.open("nodes", "Nodes");
    Page page = visit.page();
    visit.button("Actions for " + machine(visit)).click();
    visit.button("Restrict " + machine(visit)).click();
    page.getByLabel("Only for these users and projects").fill("ann, bob/render");
    page.getByLabel("java").check();
    page.getByLabel("Maximum number of cores").fill("1");
    visit.picture("node-restrict");
    inDialog(visit, "Restrict").click();
    try {
      assertThat(page.locator(".terms"))
          .containsText("only for ann, bob/render, for jobs of the kind java, with at most 1 core");
      long job = visit.world().calls().submit("imker: 1\nname: unwanted\ncommand: echo\n");
      visit.open("job/" + job + "?task=1", "unwanted #" + job);
      assertThat(page.locator("p.explain")).containsText("is used only for ann, bob/render");
    } finally {
      visit.world().calls().post("/api/v1/nodes/bee-1/terms", Map.of("restriction", Map.of()));
    }
    assertThat(page.locator(".page-head .chip.done")).isVisible();
  }
}
