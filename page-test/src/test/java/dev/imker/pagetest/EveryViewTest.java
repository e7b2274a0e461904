package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import com.microsoft.playwright.options.ReducedMotion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Everything there is to see, looked at by axe: on a desk in the light, and on a phone in the dark,
 * where nothing may be wider than the screen.
 */
@ExtendWith(InBrowser.class)
class EveryViewTest {
  /** What can be another matter on a phone in the dark. */
  private static final String[] BY_COLOUR_AND_SIZE = {
    "color-contrast", "scrollable-region-focusable"
  };

  private static final String LONG =
      "a-name-that-is-far-too-long-for-any-column-of-any-table-or-list";

  private static final String TORN =
      """
      imker: 1
      name: %s
      stages:
        - name: write
          command: |
            echo "imker:metric loss=0.${n}"; echo '<svg xmlns="http://www.w3.org/2000/svg"/>' > out.svg
            if [ ${n} = 4 ]; then echo odd one out >&2; exit 9; fi
          sweep: {size: [small, large], n: 1..6}
          results: ['*.svg']
          max-failures: 1
        - {name: report, command: echo, after: write}
      """
          .formatted(LONG);

  private static final String ANALYSIS =
      """
      {"kind":"backtest","name":"By hand","complete":true,"warnings":["few bars"],"perMarket":[{"market":"GOLD",
      "fromDate":"2024-01-02","toDate":"2024-01-03","parameters":{},"figures":{"trades":1,"cagr":0.1},
      "trades":[{"side":"long","entryDate":"2024-01-02","entryPrice":1,"exitDate":"2024-01-03","exitPrice":2,"profit":1,"profitRate":0.1}],
      "firstBar":0,"curve":[100,110]}]}
      """;

  /**
   * What can be looked at.
   *
   * @param address within the page, or of a page of its own if it begins with a slash
   * @param awaited what is there when the view is complete
   */
  private record View(String address, String awaited, Consumer<Visit> opening) {
    View(String address, String awaited) {
      this(address, awaited, _ -> {});
    }

    /** Where a click leads. */
    static View clicked(String address, String button, String awaited) {
      return new View(address, awaited, visit -> visit.button(button).first().click());
    }
  }

  private final List<View> views = new ArrayList<>();

  /** A page as it is, whose picture on a phone is kept for the documentation. */
  private void page(String address, String awaited) {
    views.add(
        new View(
            address,
            awaited,
            visit -> {
              assertThat(visit.page().locator(awaited).first()).isVisible();
              phone(visit.page());
              visit.picture("phone-" + address);
              desk(visit.page());
            }));
  }

  private void add(String address, String awaited) {
    views.add(new View(address, awaited));
  }

  private void dialog(String address, String button) {
    views.add(View.clicked(address, button, "dialog[open]"));
  }

  private void pages() {
    page("overview", "imker-plot[data-drawn]");
    page("jobs", "tbody tr");
    add("jobs?name=nothing-is-called-so", ".empty");
    add("jobs?status=FAILED&sort=-id", "tbody tr");
    views.add(
        new View(
            "jobs",
            "[aria-label='Actions on chosen jobs']",
            visit -> visit.page().getByLabel("Select all jobs on this page").check()));
    page("submit", ".good");
    views.add(
        new View(
            "submit",
            ".editor .wrong",
            visit -> visit.page().locator("textarea.code").last().fill("imker: 1\ncomand: x\n")));
    page("nodes", "tbody tr");
    add("nodes?add=yes", ".qr");
    dialog("nodes", "Add a resource");
    dialog("nodes", "Actions for");
    add("node/bee-1", "imker-plot[data-drawn]");
    page("charts", ".empty");
    views.add(new View("charts", "imker-plot[data-drawn]", EveryViewTest::openAnalysis));
    add("api", "details");
    views.add(
        new View("api", "details[open]", visit -> visit.page().locator("summary").first().click()));
    page("simulator", ".editor");
    add("compare", "h1");
    add("no-such-page", ".empty");
    add("job/999999", ".empty");
    add("node/nobody", ".empty");
  }

  private static void openAnalysis(Visit visit) {
    visit
        .page()
        .getByLabel("Open files")
        .setInputFiles(
            new FilePayload(
                "result.json", "application/json", ANALYSIS.getBytes(StandardCharsets.UTF_8)));
  }

  private void planner() {
    page("planner", ".editor");
    views.add(View.clicked("planner", "Find a plan", "#run-title"));
    views.add(View.clicked("planner?form=pddl", "Find a plan", "#levels-title"));
    views.add(
        new View(
            "planner",
            ".note strong",
            visit -> {
              visit.page().getByLabel("Wants").fill("Nonsense");
              visit.button("Find a plan").click();
            }));
  }

  private void jobs(long failed, long running, long again) {
    String job = "job/" + failed;
    add(job, "imker-failures article");
    views.add(View.clicked(job + "?tab=failures", "Errors of task", "pre.log"));
    dialog(job + "?tab=failures", "Try again");
    add(job + "?tab=tasks", "imker-tasks tbody tr");
    add(job + "?tab=tasks&exit=77", ".empty");
    add(job + "?tab=tasks&task=4", "imker-task pre.log");
    add(job + "?tab=graph", ".graph .node");
    views.add(
        new View(
            job + "?tab=graph",
            ".graph .node.task",
            visit -> visit.page().locator(".graph .node").first().press("Enter")));
    add(job + "?tab=timeline", "imker-plot[data-drawn]");
    add(job + "?tab=results", "imker-results tbody tr");
    views.add(View.clicked(job + "?tab=results", "Preview", "imker-results tbody td[colspan]"));
    for (String way : List.of("table", "pictures")) {
      add(job + "?tab=metrics&as=" + way, "imker-metrics tbody tr, .thumbnails li");
    }
    for (String way : List.of("line", "heat", "parallel")) {
      add(job + "?tab=metrics&as=" + way, "imker-plot[data-drawn]");
    }
    add(job + "?tab=history", "imker-history tbody tr");
    add(job + "?tab=definition", "pre.code-box");
    add("compare?a=" + failed + "&b=" + again, "h2");
    add("job/" + running + "?task=1", "imker-task pre.log");
    dialog("job/" + running, "Cancel");
    dialog("job/" + running, "Priority");
    dialog(job, "Delete");
  }

  private void admin() {
    for (String tab :
        List.of("users", "tokens", "secrets", "password", "agents", "servers", "strategy")) {
      add("admin?tab=" + tab, "#tab-panel form, #tab-panel table, #tab-panel .empty");
    }
    for (String tab : List.of("retention", "settings", "audit", "calls")) {
      add("admin?tab=" + tab, "#tab-panel form, #tab-panel table, #tab-panel .empty");
    }
    dialog("admin?tab=users", "Add a user");
    dialog("admin?tab=tokens", "New token");
    dialog("admin?tab=secrets", "Set a secret");
  }

  @Test
  void nothing_bars_anybody_from_any_view(PageWorld world) {
    PoolCalls calls = world.calls();
    long failed = calls.finished(TORN);
    long again = calls.finished(TORN);
    long running = calls.submit("imker: 1\nname: busy\ncommand: echo here; exec sleep 600\n");
    pages();
    planner();
    jobs(failed, running, again);
    admin();
    SoftAssertions all = new SoftAssertions();
    try (Visit visit = Visit.of(world)) {
      still(visit.page());
      for (View view : views) {
        look(visit, view, all);
      }
      visit.open("overview", "apiary").page().keyboard().press("Control+k");
      check(visit, "the palette", all);
      visit.page().keyboard().press("Escape");
      for (String document : List.of("/docs", "/docs/jobs.md", "/docs/search?q=retry")) {
        visit.page().navigate(document);
        check(visit, document, all);
      }
    } finally {
      calls.cancel(running);
    }
    try (Visit visit = Visit.ofStranger(world)) {
      still(visit.page());
      visit.page().navigate("/");
      assertThat(visit.heading("Log in to the pool")).isVisible();
      check(visit, "login", all);
      visit.page().getByLabel("User").fill("nobody");
      visit.page().getByLabel("Password").fill("wrong");
      visit.page().getByText("Log in", new Page.GetByTextOptions().setExact(true)).click();
      assertThat(visit.heading("Login failed")).isVisible();
      check(visit, "a login that failed", all);
    }
    all.assertAll();
  }

  private static void look(Visit visit, View view, SoftAssertions all) {
    Page page = visit.page();
    page.navigate("about:blank"); // the same address again is no visit
    page.navigate("/#/" + view.address);
    assertThat(page.locator("main h1, main .problem, main .empty").first()).isVisible();
    view.opening.accept(visit);
    assertThat(page.locator(view.awaited).first()).isVisible();
    check(visit, view.address + " " + view.awaited, all);
  }

  private static void check(Visit visit, String what, SoftAssertions all) {
    Page page = visit.page();
    all.assertThat(visit.barriers()).as(what).isEmpty();
    phone(page);
    all.assertThat(visit.overhang()).as("too wide for a phone by: " + what).isZero();
    all.assertThat(Accessibility.barriers(page, BY_COLOUR_AND_SIZE))
        .as("on a phone in the dark: " + what)
        .isEmpty();
    desk(page);
  }

  /** Colours change at once when they do. */
  private static void still(Page page) {
    page.emulateMedia(new Page.EmulateMediaOptions().setReducedMotion(ReducedMotion.REDUCE));
  }

  private static void phone(Page page) {
    page.setViewportSize(390, 844);
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
  }

  private static void desk(Page page) {
    page.setViewportSize(1280, 860);
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
  }
}
