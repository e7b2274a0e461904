package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Answers that come late, in another order, or not at all. */
@ExtendWith(InBrowser.class)
class LateAnswersTest {
  private static final String HIDE =
      """
      Object.defineProperty(document, "hidden", { get: () => true });
      document.dispatchEvent(new Event("visibilitychange"));
      """;

  /** The windows of others have all but one of the connections that may stay open. */
  private static final String ONE_CONNECTION_TO_SPARE =
      """
      const request = navigator.locks.request.bind(navigator.locks);
      let left = 1;
      navigator.locks.request = (name, options, found) => !name.startsWith("imker-stream") || left-- > 0
        ? request(name, options, found) : Promise.resolve(found(null));
      """;

  @Test
  void a_list_shows_what_was_chosen_last_whatever_comes_last(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long ended = calls.finished("imker: 1\nname: late-and-done\ncommand: echo\n");
    long busy = calls.submit("imker: 1\nname: late-and-busy\ncommand: sleep 600\n");
    Page page = visit.page();
    visit.open("jobs?name=late-and", "Jobs");
    assertThat(page.locator("tbody tr")).hasCount(2);
    List<Route> held = new CopyOnWriteArrayList<>();
    page.route("**/api/v1/jobs?*status=RUNNING*", held::add);
    List<Request> over = new CopyOnWriteArrayList<>();
    page.onRequestFailed(over::add);
    page.onRequestFinished(over::add);
    page.getByLabel("Status").selectOption("RUNNING");
    page.waitForCondition(() -> !held.isEmpty());
    page.getByLabel("Status").selectOption("DONE");
    assertThat(page.locator("tbody tr")).hasCount(1);
    held.forEach(LateAnswersTest::letGo);
    page.waitForCondition(
        () -> over.stream().anyMatch(one -> one.url().contains("status=RUNNING")));
    page.evaluate(
        "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
    assertThat(page.locator("tbody tr")).containsText(Long.toString(ended));
    assertThat(visit.link("late-and-busy")).hasCount(0);
    calls.cancel(busy);
  }

  /** The page may have given up on it. */
  private static void letGo(Route route) {
    try {
      route.resume();
    } catch (com.microsoft.playwright.PlaywrightException e) {
      assertThat(e).hasMessageContaining("Route");
    }
  }

  @Test
  void a_file_that_never_comes_is_not_waited_for_for_ever(Visit visit) {
    long job = visit.world().calls().finished("imker: 1\nname: no-answer\ncommand: echo\n");
    Page page = visit.page();
    page.addInitScript(
        "const limit = AbortSignal.timeout; AbortSignal.timeout = () => limit.call(AbortSignal,"
            + " 1500)");
    page.route("**/jobfile", _ -> {});
    visit.open("job/" + job + "?tab=definition", "no-answer #" + job);
    assertThat(page.getByText("The server does not answer.")).isVisible();
    page.unroute("**/jobfile");
    visit.button("Try again").click();
    assertThat(page.locator("pre")).containsText("name: no-answer");
    visit.complaints().clear();
  }

  @Test
  void an_answer_that_is_cut_off_is_told_in_words(Visit visit) {
    Page page = visit.page();
    page.route(
        "**/api/v1/jobs?*",
        route ->
            route.fulfill(
                new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody("{\"jobs\": [")));
    visit.open("jobs", "Jobs");
    assertThat(page.getByRole(AriaRole.ALERT)).hasText(Pattern.compile("answer was cut off"));
  }

  /** Also one that was not connected when it was hidden, as when the server was away. */
  @Test
  void a_hidden_window_gives_up_its_stream_connected_or_not(Visit visit) {
    Page page = visit.page();
    List<Request> given = new CopyOnWriteArrayList<>();
    page.onRequestFailed(given::add);
    List<Route> held = new CopyOnWriteArrayList<>();
    page.route("**/api/v1/events*", held::add);
    visit.open("jobs", "Jobs");
    page.waitForCondition(() -> !held.isEmpty());
    page.evaluate(HIDE);
    page.waitForCondition(() -> given.contains(held.getFirst().request()));
  }

  @Test
  void an_output_is_shown_to_its_end_also_where_no_connection_can_be_spared(Visit visit) {
    visit.page().addInitScript(ONE_CONNECTION_TO_SPARE);
    long job =
        visit
            .world()
            .calls()
            .submit("imker: 1\nname: glances\ncommand: echo at first; sleep 1; echo at last\n");
    visit.open("job/" + job + "?task=1", "glances #" + job);
    assertThat(visit.page().locator(".page-head .chip.done")).isVisible();
    assertThat(visit.page().getByRole(AriaRole.LOG)).hasText("at first\nat last\n");
  }

  @Test
  void an_output_that_cannot_be_read_is_no_output(Visit visit) {
    long job = visit.world().calls().finished("imker: 1\nname: unread\ncommand: echo\n");
    visit
        .page()
        .route(
            "**/stdout*",
            route ->
                route.fulfill(
                    new Route.FulfillOptions().setStatus(500).setBody("{\"error\": \"secret\"}")));
    visit.open("job/" + job + "?task=1", "unread #" + job);
    assertThat(visit.page().getByRole(AriaRole.LOG)).hasText("The output could not be read.");
    visit.complaints().clear();
  }

  @Test
  void jobs_that_come_to_fit_a_filter_are_told_of_once(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long job = calls.submit("imker: 1\nname: comes-to-fit\ncommand: sleep 600\n");
    visit.open("jobs?status=CANCELLED&name=comes-to-fit", "Jobs");
    assertThat(visit.page().getByText("No job matches this filter")).isVisible();
    calls.post("/api/v1/jobs/" + job + "/priority", java.util.Map.of("priority", 7));
    calls.cancel(job);
    assertThat(visit.page().getByText("There may be 1 other job by now.")).isVisible();
    visit.button("Reload the list").click();
    assertThat(visit.link("comes-to-fit")).isVisible();
    assertThat(visit.page().getByText("There may be")).hasCount(0);
  }

  @Test
  void a_title_stays_that_of_the_job_from_tab_to_tab(Visit visit) {
    long job = visit.world().calls().finished("imker: 1\nname: titled\ncommand: echo\n");
    visit.open("job/" + job, "titled #" + job);
    String title = "done · titled · job " + job + " · Imker";
    assertThat(visit.page()).hasTitle(title);
    visit.tab("History").click();
    assertThat(visit.tab("History")).hasAttribute("aria-selected", "true");
    assertThat(visit.page()).hasTitle(title);
    visit.page().navigate("/#/jobs");
    assertThat(visit.page()).hasTitle("Jobs · apiary · Imker");
  }

  @Test
  void an_address_that_nobody_can_decode_is_no_page(Visit visit) {
    visit.page().navigate("/#/%E0%A4%A");
    assertThat(visit.heading("There is nothing here")).isVisible();
  }

  /** The ones that need somebody although no job or machine does. */
  @Test
  void a_restored_database_leads_to_what_is_known_of_backups(Visit visit) {
    visit
        .page()
        .route(
            "**/api/v1/overview?*",
            route ->
                route.fulfill(
                    new Route.FulfillOptions()
                        .setContentType("text/event-stream")
                        .setBody(
                            """
                            event: overview
                            data: {"beats": [{"atMillis": 1, "done": 0, "failed": 0, "queued": 0, "waiting": 0, "running": 0, "slots": 4, "agents": 2}], "uses": [], "others": 0, "attention": [{"kind": "RESTORED", "user": null, "job": null, "node": null, "title": "The database is older than what the agents have seen", "reason": "It was restored."}]}

                            """)));
    visit.open("overview", "apiary");
    assertThat(visit.button("Drain it")).hasCount(0);
    visit.link("About backups").click();
    assertThat(visit.page()).hasURL(Pattern.compile("/docs/operations\\.md#backup$"));
    assertThat(visit.page().locator(":target")).isVisible();
    await().until(() -> visit.complaints().isEmpty());
  }
}
