package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What once made people doubt the page. */
@ExtendWith(InBrowser.class)
class PageTrustTest {
  private static final String AS_IN_THE_BACKGROUND =
      """
      let hidden = true;
      Object.defineProperty(document, "hidden", { get: () => hidden });
      window.show = () => { hidden = false; document.dispatchEvent(new Event("visibilitychange")); };
      """;

  @Test
  void a_tab_opened_in_the_background_takes_a_stream_only_when_it_is_looked_at(Visit visit) {
    Page page = visit.page();
    List<String> streams = new CopyOnWriteArrayList<>();
    page.onRequest(
        request -> {
          if (request.url().contains("/api/v1/events")) {
            streams.add(request.url());
          }
        });
    page.addInitScript(AS_IN_THE_BACKGROUND);
    visit.open("jobs", "Jobs");
    assertThat(page.getByRole(AriaRole.SEARCH)).isVisible();
    assertThat(streams).isEmpty();
    page.waitForRequest(
        request -> request.url().contains("/api/v1/events"), () -> page.evaluate("show()"));
  }

  @Test
  void many_windows_that_are_all_looked_at_leave_connections_for_each_other(Visit visit) {
    List<Page> windows = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Page window = visit.page().context().newPage();
      windows.add(window);
      window.navigate("/#/jobs");
      assertThat(window.getByRole(AriaRole.SEARCH)).isVisible();
    }
    visit.world().calls().submit("imker: 1\nname: seen-by-all\ncommand: echo\n");
    for (Page window : windows) {
      assertThat(window.getByRole(AriaRole.LINK, named("seen-by-all")).first()).isVisible();
      assertThat(window.locator(".connection.live")).isVisible();
    }
    windows.forEach(Page::close);
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name);
  }

  @Test
  void somebody_who_had_to_log_in_sees_what_was_asked_for(PageWorld world) {
    long job = world.calls().submit("imker: 1\nname: deep-link\ncommand: echo\n");
    try (Visit visit = Visit.ofStranger(world)) {
      Page page = visit.page();
      page.navigate("/#/job/" + job + "?tab=definition");
      assertThat(visit.heading("Log in to the pool")).isVisible();
      page.getByLabel("Token").fill(world.server().adminToken());
      visit.button("Log in with the token").click();
      assertThat(page.locator("h1")).containsText("deep-link");
      assertThat(visit.tab("Definition")).hasAttribute("aria-selected", "true");
    }
  }

  @Test
  void a_filtered_list_loses_jobs_that_no_longer_fit_and_finds_numbers(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long job = calls.submit("imker: 1\nname: leaves-the-filter\ncommand: sleep 600\n");
    visit.open("jobs?status=RUNNING", "Jobs");
    assertThat(visit.link("leaves-the-filter")).isVisible();
    calls.cancel(job);
    assertThat(visit.link("leaves-the-filter")).isHidden();
    visit.open("jobs?name=" + job, "Jobs");
    assertThat(visit.link("leaves-the-filter")).isVisible();
  }

  @Test
  void opened_tasks_and_tabs_are_steps_of_the_browsers_history(Visit visit) {
    Page page = visit.page();
    long job =
        visit
            .world()
            .calls()
            .submit("imker: 1\nname: steps\ncommand: echo ${n}\nsweep: {n: 1..40}\n");
    page.navigate("/#/job/" + job);
    Locator far = visit.link("Task 40");
    assertThat(far).hasAttribute("href", "#/job/" + job + "?task=40");
    far.click();
    assertThat(page.locator("imker-task")).isInViewport();
    visit.tab("Definition").click();
    assertThat(visit.tab("Definition")).hasAttribute("aria-selected", "true");
    page.goBack();
    assertThat(visit.tab("Tasks")).hasAttribute("aria-selected", "true");
    assertThat(page.locator("imker-task")).isVisible();
    page.goBack();
    assertThat(page.locator("imker-task")).hasCount(0);
  }

  @Test
  void a_double_click_on_run_again_runs_it_once(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long job = calls.submit("imker: 1\nname: once-more\ncommand: echo\n");
    visit.page().navigate("/#/job/" + job);
    visit.button("Run again").dblclick();
    visit.page().waitForURL(url -> !url.contains("/job/" + job));
    assertThat(calls.jobsNamed("once-more")).isEqualTo(2);
  }

  @Test
  void without_the_server_nothing_is_called_live_and_no_file_mistaken(Visit visit) {
    Page page = visit.page();
    visit.open("submit", "Submit a job");
    assertThat(page.getByText("no mistakes")).isVisible();
    page.context().setOffline(true);
    page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("offline");
    assertThat(page.getByText("not checked: the server does not answer")).isVisible();
    assertThat(page.getByText("reconnecting…")).isVisible();
    page.context().setOffline(false);
    assertThat(page.getByText("no mistakes")).isVisible();
    assertThat(page.locator(".connection.live")).isVisible();
    visit.complaints().clear(); // the browser writes down that there was no network
  }
}
