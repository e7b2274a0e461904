package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The pool as a whole: who uses it, over time, and the way to everything by keyboard. */
@ExtendWith(InBrowser.class)
class PoolPagesTest {
  private static void logIn(Visit visit, String user, String password) {
    Page page = visit.page();
    page.navigate("/");
    page.getByLabel("User").fill(user);
    page.getByLabel("Password").fill(password);
    page.getByText("Log in", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(visit.heading("apiary")).isVisible();
  }

  private static Locator options(Page page) {
    return page.getByRole(AriaRole.DIALOG).getByRole(AriaRole.OPTION);
  }

  private static Locator inDialog(Visit visit, String button) {
    return visit
        .page()
        .getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button));
  }

  @Test
  void somebody_without_work_reads_that_others_have_some(PageWorld world) {
    PoolCalls calls = world.calls();
    calls.post(
        "/api/v1/users", Map.of("user", "olga", "role", "USER", "password", "flowers in May"));
    long job = calls.submit("imker: 1\nname: of-others\ncommand: sleep 600\n");
    try (Visit visit = Visit.ofStranger(world)) {
      logIn(visit, "olga", "flowers in May");
      assertThat(visit.page().getByText("You have no work in the pool right now; others have"))
          .isVisible();
      assertThat(visit.page().getByText("Nobody has work")).hasCount(0);
      assertThat(visit.complaints()).isEmpty();
    } finally {
      calls.cancel(job);
    }
  }

  @Test
  void plots_show_a_month_as_the_server_kept_it(Visit visit) {
    Page page = visit.page();
    long now = System.currentTimeMillis();
    StringBuilder spans = new StringBuilder();
    for (int hour = 700; hour >= 0; hour--) {
      spans
          .append(spans.isEmpty() ? "" : ",")
          .append(
              """
              {"atMillis": %d, "used": {"cores": 0.5},
               "figures": {"queued": 7, "running": 3, "slots": 4, "done": 1.5, "failed": 0}}
              """
                  .formatted(now - hour * 3_600_000L));
    }
    page.route(
        "**/api/v1/figures/utilisation?hours=744",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody("{\"spans\": [" + spans + "]}")));
    visit.open("overview", "apiary");
    page.getByLabel("Range of the plots").selectOption("month");
    for (String plot :
        new String[] {
          "Tasks done and failed per second",
          "Slots, running tasks and queue",
          "Share of cores, memory, GPUs and other resources that tasks have"
        }) {
      assertThat(page.getByLabel(plot + " over the last month")).isVisible();
    }
    assertThat(page.locator("imker-plot[data-drawn]")).hasCount(3);
    assertThat(visit.barriers()).isEmpty();
    page.unroute("**/api/v1/figures/utilisation?hours=744");
    page.getByLabel("Range of the plots").selectOption("week");
    assertThat(page.getByLabel("over the last month")).hasCount(0);
    page.getByLabel("Range of the plots").selectOption("half hour");
    assertThat(page.getByLabel("Slots, running tasks and queue over the last half hour"))
        .isVisible();
  }

  @Test
  void a_few_letters_lead_to_pages_jobs_nodes_and_actions(Visit visit) {
    long job = visit.world().calls().submit("imker: 1\nname: found-by-letters\ncommand: echo\n");
    visit.open("overview", "apiary");
    Page page = visit.page();
    page.keyboard().press("Control+k");
    Locator search = page.getByLabel("Search pages, jobs, nodes and actions");
    assertThat(search).isFocused();
    assertThat(visit.barriers()).isEmpty();
    page.keyboard().type("found-by-l");
    assertThat(options(page)).containsText("found-by-letters #" + job);
    page.keyboard().press("Enter");
    assertThat(visit.heading("found-by-letters #" + job)).isVisible();
    visit.button("Search everything").click();
    page.keyboard().type("node");
    assertThat(options(page).first()).containsText("Nodes");
    page.keyboard().press("Enter");
    assertThat(visit.heading("Nodes")).isVisible();
    page.keyboard().press("Control+k");
    page.keyboard().type("bee-1");
    assertThat(options(page)).containsText("node");
    page.keyboard().press("Enter");
    assertThat(page.getByText("Why it is this reliable")).isVisible();
    page.keyboard().press("Control+k");
    page.keyboard().type("b");
    page.keyboard().press("Escape");
    assertThat(search).hasCount(0);
  }

  @Test
  void a_node_says_why_it_is_as_reliable_as_it_is(Visit visit) {
    visit.world().calls().finished("imker: 1\nname: own-fault\ncommand: exit 3\nmax-failures: 1\n");
    visit.open("nodes", "Nodes");
    assertThat(
            visit
                .page()
                .locator("imker-nodes > section tbody td[title$='through its own fault']")
                .first())
        .hasText(Pattern.compile("^(\\d|[1-9]\\d|100)(\\.\\d)? %$"));
    visit.page().locator("tbody a").first().click();
    assertThat(
            visit
                .page()
                .getByText("failed because of the task itself, which does not count against"))
        .isVisible();
    assertThat(visit.barriers()).isEmpty();
  }

  @Test
  void people_change_their_password_and_keep_secrets(PageWorld world) {
    world
        .calls()
        .post("/api/v1/users", Map.of("user", "petra", "role", "USER", "password", "first words"));
    try (Visit visit = Visit.ofStranger(world)) {
      logIn(visit, "petra", "first words");
      Page page = visit.page();
      visit.open("admin?tab=password", "My account");
      page.getByLabel("Current password").fill("first words");
      page.getByLabel("New password", new Page.GetByLabelOptions().setExact(true))
          .fill("other words");
      page.getByLabel("Repeat new password").fill("other words");
      visit.button("Change it").click();
      assertThat(page.getByText("Your password was changed. Other")).isVisible();
      assertThat(visit.barriers()).isEmpty();
      visit.tab("Secrets").click();
      visit.button("Set a secret").click();
      page.getByLabel("Name").fill("api-key");
      page.getByLabel("Value").fill("honey-and-wax");
      inDialog(visit, "Set it").click();
      assertThat(page.getByRole(AriaRole.CELL).first()).hasText("api-key");
      assertThat(page.getByText("honey-and-wax")).hasCount(0);
      visit.button("Remove api-key").click();
      inDialog(visit, "Remove it").click();
      assertThat(page.getByText("No secrets")).isVisible();
      assertThat(visit.complaints()).isEmpty();
    }
    try (Visit visit = Visit.ofStranger(world)) {
      logIn(visit, "petra", "other words");
    }
  }

  @Test
  void settings_have_words_and_servers_are_listed(Visit visit) {
    visit.open("admin?tab=settings", "Admin");
    Page page = visit.page();
    assertThat(page.getByLabel("Maximum slots per agent")).isVisible();
    visit.tab("Servers").click();
    assertThat(page.getByRole(AriaRole.CELL).filter(leads())).isVisible();
    assertThat(visit.barriers()).isEmpty();
  }

  private static Locator.FilterOptions leads() {
    return new Locator.FilterOptions().setHasText("leads");
  }
}
