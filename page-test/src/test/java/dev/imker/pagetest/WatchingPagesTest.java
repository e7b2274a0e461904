package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.Media;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many jobs at once, and jobs that somebody waits for. */
@ExtendWith(InBrowser.class)
class WatchingPagesTest {
  private static final String SHOWN =
      """
      async () => {
        const all = await navigator.serviceWorker.getRegistrations();
        const notes = await Promise.all(all.map((one) => one.getNotifications()));
        return notes.flat().map((note) => note.title).join();
      }
      """;

  @Test
  void all_jobs_that_match_are_cancelled_by_one_request(Visit visit) {
    PoolCalls calls = visit.world().calls();
    List<Map<String, Object>> jobs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      jobs.add(Map.of("name", "crowd-" + i, "command", List.of("sleep 600")));
    }
    calls.post("/api/v1/jobs/batch", Map.of("jobs", jobs));
    visit.open("jobs?name=crowd", "Jobs");
    Page page = visit.page();
    assertThat(page.locator("tbody tr")).hasCount(50);
    List<String> orders = new CopyOnWriteArrayList<>();
    page.onRequest(
        request -> {
          if (request.method().equals("POST") && !request.postData().contains("dryRun")) {
            orders.add(request.url());
          }
        });
    page.getByLabel("Select all jobs on this page").check();
    visit.button("Select all that match").click();
    Locator bar =
        page.getByRole(
            AriaRole.REGION, new Page.GetByRoleOptions().setName("Actions on chosen jobs"));
    bar.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Cancel")).click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("Cancel 60 jobs?");
    assertThat(visit.barriers()).isEmpty();
    long later = calls.submit("imker: 1\nname: crowd-later\ncommand: sleep 600\n");
    dialog
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Cancel 60 jobs"))
        .click();
    // The newest row may be the later one by now.
    assertThat(page.locator("tbody .chip.cancelled").nth(48)).isVisible();
    assertThat(orders).hasSize(1).first().asString().endsWith("/api/v1/bulk");
    assertThat(calls.get("/api/v1/jobs?name=crowd-*&status=CANCELLED&limit=100").get("jobs"))
        .hasSize(60);
    // Nobody was asked about it.
    assertThat(calls.get("/api/v1/jobs/" + later).get("settled").isNull()).isTrue();
    calls.cancel(later);
  }

  /** Chrome on Android lets no page show a notification, only service workers. */
  @Test
  void where_pages_may_not_notify_a_service_worker_does(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long job = calls.submit("imker: 1\nname: pocket\ncommand: sleep 600\n");
    Page page = visit.page();
    page.context().grantPermissions(List.of("notifications"));
    page.addInitScript(
        """
        window.Notification = class { constructor() { throw new TypeError("Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead."); }
          static requestPermission() { return Promise.resolve("granted"); } };
        """);
    visit.open("job/" + job, "pocket #" + job);
    visit.button("Notify me").click();
    assertThat(visit.button("Notify me")).hasAttribute("aria-pressed", "true");
    visit.page().navigate("/#/jobs");
    calls.cancel(job);
    await().until(() -> "pocket is cancelled".equals(page.evaluate(SHOWN)));
  }

  @Test
  void title_icon_and_a_notification_tell_of_a_job(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long job = calls.submit("imker: 1\nname: awaited\ncommand: sleep 600\n");
    Page page = visit.page();
    page.context().grantPermissions(List.of("notifications"));
    page.addInitScript(
        """
        window.told = [];
        window.Notification = class { constructor(title) { window.told.push(title); }
          static requestPermission() { return Promise.resolve("granted"); } };
        """);
    visit.open("job/" + job, "awaited #" + job);
    assertThat(page).hasTitle("0 % · awaited · job " + job + " · Imker");
    assertThat(page.locator("link[rel=icon]")).hasAttribute("href", Pattern.compile("^blob:"));
    visit.button("Notify me").click();
    assertThat(visit.button("Notify me")).hasAttribute("aria-pressed", "true");
    calls.cancel(job);
    assertThat(page).hasTitle("cancelled · awaited · job " + job + " · Imker");
    assertThat(page.locator("link[rel=icon]")).hasAttribute("href", "icon.svg");
    await().until(() -> page.evaluate("told.join()").equals("awaited is cancelled"));
  }

  @Test
  void a_job_tells_who_did_what_with_it(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long job = calls.submit("imker: 1\nname: eventful\ncommand: sleep 600\n");
    calls.post("/api/v1/jobs/" + job + "/priority", Map.of("priority", 7));
    calls.cancel(job);
    visit.open("job/" + job + "?tab=history", "eventful #" + job);
    Locator rows = visit.page().locator("imker-history tbody tr");
    assertThat(rows.first()).containsText("submitted one task");
    assertThat(rows.filter(new Locator.FilterOptions().setHasText("changed the priority")))
        .containsText("admin");
    assertThat(rows.last()).containsText("cancelled");
    assertThat(visit.barriers()).isEmpty();
  }

  @Test
  void the_list_of_jobs_tells_when_they_should_end(Visit visit) {
    PoolCalls calls = visit.world().calls();
    calls.finished(
        "imker: 1\nname: known\nproject: ends\ncommand: sleep 0.${n}\nsweep: {n: 1..9}\n");
    long job =
        calls.submit(
            "imker: 1\nname: ending\nproject: ends\ncommand: sleep 600 ${n}\nsweep: {n: 1..900}\n");
    try {
      await().until(() -> calls.get("/api/v1/jobs/" + job).hasNonNull("expectedEnd"));
      visit.open("jobs?name=ending", "Jobs");
      assertThat(visit.page().locator("tbody tr").getByText(Pattern.compile("^about .+ left$")))
          .isVisible();
    } finally {
      calls.cancel(job);
    }
  }

  @Test
  void a_page_is_printed_without_what_can_only_be_clicked(Visit visit) {
    long job = visit.world().calls().finished("imker: 1\nname: on-paper\ncommand: echo\n");
    visit.open("job/" + job, "on-paper #" + job);
    visit.page().emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));
    assertThat(visit.page().locator("nav.main")).isHidden();
    assertThat(visit.button("Run again")).hasCount(0);
    assertThat(visit.page().getByText("1 of 1 task done")).isVisible();
  }
}
