package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The main paths without a mouse. */
@ExtendWith(InBrowser.class)
class KeyboardTest {
  private static final int FAR = 120;

  /** Whether one sees where the focus is. */
  private static final String SEEN =
      """
      () => {
        const one = document.activeElement, style = getComputedStyle(one), box = one.getBoundingClientRect();
        const drawn = one.closest(".graph .node") ? getComputedStyle(one.querySelector("rect")).strokeWidth === "3px"
          : style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0
            || one.closest("label")?.matches(":focus-within") && getComputedStyle(one.closest("label")).outlineStyle !== "none";
        return drawn && box.bottom > 0 && box.top < innerHeight;
      }
      """;

  private static final String NAME =
      """
      () => {
        const one = document.activeElement;
        return (one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent).trim().replace(/\\s+/g, " ");
      }
      """;

  /** Presses the tabulator until something of that name has the focus, which is always seen. */
  private static void tabTo(Page page, String name) {
    StringBuilder way = new StringBuilder();
    for (int i = 0; i < FAR; i++) {
      page.keyboard().press("Tab");
      String present = (String) page.evaluate(NAME);
      way.append(present, 0, Math.min(30, present.length())).append(" | ");
      if (page.evaluate("document.activeElement !== document.body").equals(true)) {
        assertThat(page.evaluate(SEEN)).as("the focus is seen on " + present).isEqualTo(true);
      }
      if (present.startsWith(name)) {
        return;
      }
    }
    throw new AssertionError("the tabulator never leads to " + name + ", but to " + way);
  }

  @Test
  void from_a_failure_to_its_output_and_to_another_try(Visit visit) {
    long job =
        visit
            .world()
            .calls()
            .finished(
                """
                imker: 1
                name: by-keys
                command: echo no wax left >&2; exit 5
                max-failures: 1
                """);
    visit.open("jobs", "Jobs");
    Page page = visit.page();
    tabTo(page, "by-keys");
    page.keyboard().press("Enter");
    assertThat(visit.heading("by-keys #" + job)).isVisible();
    tabTo(page, "Errors of task 1");
    page.keyboard().press("Enter");
    assertThat(page.getByRole(AriaRole.LOG)).containsText("no wax left");
    tabTo(page, "Output of the task");
    tabBackTo(page, "Try again…");
    page.keyboard().press("Enter");
    assertThat(page.getByRole(AriaRole.DIALOG)).isVisible();
    tabTo(page, "Where");
    page.keyboard().press("Escape");
    assertThat(page.getByRole(AriaRole.DIALOG)).hasCount(0);
    assertThat(visit.button("Try again…")).isFocused();
    page.keyboard().press("Enter");
    tabTo(page, "Try again");
    page.keyboard().press("Enter");
    assertThat(page.getByText("1 task will be tried again.")).isVisible();
  }

  private static void tabBackTo(Page page, String name) {
    for (int i = 0; i < FAR; i++) {
      page.keyboard().press("Shift+Tab");
      if (((String) page.evaluate(NAME)).startsWith(name)) {
        return;
      }
    }
    throw new AssertionError("no way back to " + name);
  }

  @Test
  void a_graph_is_opened_and_a_task_of_it_looked_at(Visit visit) {
    long job =
        visit
            .world()
            .calls()
            .finished(
                """
                imker: 1
                name: keyed
                max-failures: 1
                stages:
                  - {name: first, command: 'test ${n} -lt 40', sweep: {n: 1..40}}
                  - {name: second, command: echo, after: first}
                """);
    visit.open("job/" + job + "?tab=graph", "keyed #" + job);
    Page page = visit.page();
    tabTo(page, "first: 39 of 40 done");
    page.keyboard().press("Space");
    // Of many, the one that failed is among those that are shown.
    tabTo(page, "n=40: 40: failed");
    page.keyboard().press("Enter");
    assertThat(page).hasURL(Pattern.compile("task=40"));
    assertThat(page.locator("imker-task .chip.failed").first()).isVisible();
  }

  @Test
  void a_machine_is_paused_and_the_focus_comes_back(Visit visit) {
    visit.open("nodes", "Nodes");
    Page page = visit.page();
    tabTo(page, "Actions for");
    page.keyboard().press("Enter");
    tabTo(page, "Pause");
    page.keyboard().press("Enter");
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).containsText("Its tasks are paused");
    page.keyboard().press("Escape");
    assertThat(dialog).hasCount(0);
    assertThat(visit.button("Actions for").first()).isFocused();
  }

  @Test
  void going_back_closes_a_question(Visit visit) {
    visit.open("jobs", "Jobs");
    visit.open("admin?tab=users", "Admin");
    visit.button("Add a user").click();
    assertThat(visit.page().getByRole(AriaRole.DIALOG)).isVisible();
    visit.page().goBack();
    assertThat(visit.heading("Jobs")).isVisible();
    assertThat(visit.page().getByRole(AriaRole.DIALOG)).hasCount(0);
  }

  @Test
  void escape_closes_the_menu_of_a_phone(PageWorld world) {
    Browser.NewContextOptions phone = new Browser.NewContextOptions().setViewportSize(390, 844);
    try (Visit visit = Visit.of(world, phone)) {
      visit.open("overview", "apiary");
      visit.button("Menu").press("Enter");
      assertThat(visit.link("Nodes")).isVisible();
      visit.page().keyboard().press("Tab");
      visit.page().keyboard().press("Escape");
      assertThat(visit.link("Nodes")).isHidden();
      assertThat(visit.button("Menu")).isFocused();
    }
  }

  @Test
  void every_page_is_walked_with_the_focus_in_sight(Visit visit) {
    long job = visit.world().calls().finished("imker: 1\nname: walked\ncommand: echo\n");
    for (String where :
        List.of(
            "overview",
            "jobs",
            "job/" + job,
            "submit",
            "nodes?add=yes",
            "node/bee-1",
            "planner",
            "simulator",
            "charts",
            "admin?tab=settings",
            "api")) {
      visit.page().navigate("about:blank");
      visit.page().navigate("/#/" + where);
      assertThat(visit.page().locator("main h1")).isVisible();
      tabTo(visit.page(), "Skip to the content");
      visit.page().keyboard().press("Enter");
      for (int i = 0; i < 30; i++) {
        visit.page().keyboard().press("Tab");
        if (visit.page().evaluate("document.activeElement === document.body").equals(true)) {
          break;
        }
        assertThat(visit.page().evaluate(SEEN))
            .as(where + ": the focus is seen on " + visit.page().evaluate(NAME))
            .isEqualTo(true);
      }
    }
  }
}
