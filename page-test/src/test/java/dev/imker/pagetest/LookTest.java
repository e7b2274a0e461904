package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Dark, small, and without a mouse. */
@ExtendWith(InBrowser.class)
class LookTest {
  private static Browser.NewContextOptions phone() {
    return new Browser.NewContextOptions()
        .setViewportSize(390, 844)
        .setIsMobile(true)
        .setHasTouch(true);
  }

  @Test
  void a_phone_gets_to_other_pages_by_the_menu(PageWorld world) {
    try (Visit visit = Visit.of(world, phone())) {
      visit.open("overview", "apiary");
      assertThat(visit.link("Nodes")).isHidden();
      visit.button("Menu").click();
      visit.link("Nodes").click();
      assertThat(visit.heading("Nodes")).isVisible();
      assertThat(visit.link("Jobs")).isHidden();
    }
  }

  @Test
  void the_list_of_jobs_fits_a_phone_also_with_large_numbers(PageWorld world) {
    long job =
        world
            .calls()
            .submit(
                """
                imker: 1
                name: far-too-many-for-a-phone
                command: sleep 600 ${n}
                sweep: {n: 1..900000}
                """);
    try (Visit visit = Visit.of(world, phone())) {
      visit.open("jobs?name=far-too-many-for-a-phone", "Jobs");
      assertThat(visit.page().getByText("/ 900,000")).isInViewport();
      Object wider =
          visit
              .page()
              .evaluate(
                  "(() => { const box = document.querySelector('imker-jobs .table-box'); return"
                      + " box.scrollWidth - box.clientWidth; })()");
      assertThat(wider).isEqualTo(0);
    } finally {
      world.calls().cancel(job);
    }
  }

  @Test
  void colours_follow_the_system_until_somebody_chooses(PageWorld world) {
    try (Visit visit =
        Visit.of(world, new Browser.NewContextOptions().setColorScheme(ColorScheme.DARK))) {
      visit.open("overview", "apiary");
      String dark = ground(visit);
      visit.picture("overview-dark");
      assertThat(visit.barriers()).isEmpty();
      visit.button("Theme: system. Change").click();
      assertThat(visit.button("Theme: light. Change")).isVisible();
      assertThat(ground(visit)).isNotEqualTo(dark);
      visit.page().reload();
      assertThat(visit.button("Theme: light. Change")).isVisible();
      assertThat(ground(visit)).isNotEqualTo(dark);
    }
  }

  private static String ground(Visit visit) {
    return (String) visit.page().evaluate("getComputedStyle(document.body).backgroundColor");
  }

  @Test
  void a_job_is_submitted_and_seen_with_the_keyboard_alone(Visit visit) {
    visit.open("overview", "apiary");
    Page page = visit.page();
    page.keyboard().press("Tab");
    assertThat(visit.link("Skip to the content")).isFocused();
    tabTo(page, "Submit");
    page.keyboard().press("Enter");
    assertThat(visit.heading("Submit a job")).isVisible();
    tabTo(page, "Command");
    page.keyboard().press("Control+A");
    page.keyboard().type("echo by keyboard ${n}");
    assertThat(page.getByText("no mistakes")).isVisible();
    tabTo(page, "Submit", "BUTTON");
    page.keyboard().press("Enter");
    assertThat(page.locator(".page-head .chip.done")).isVisible();
    tabTo(page, "Tasks");
    page.keyboard().press("ArrowRight");
    assertThat(visit.tab("Graph")).isFocused();
    assertThat(page.locator(".graph .node")).hasCount(1);
  }

  private static void tabTo(Page page, String name) {
    tabTo(page, name, "");
  }

  /** Presses the tabulator until something of that name has the focus. */
  private static void tabTo(Page page, String name, String tag) {
    for (int i = 0; i < 80; i++) {
      page.keyboard().press("Tab");
      Object found =
          page.evaluate(
              """
              ([name, tag]) => {
                const one = document.activeElement;
                const words = one.labels?.[0]?.textContent ?? one.getAttribute("aria-label") ?? one.textContent;
                return words.trim().startsWith(name) && (!tag || one.tagName === tag);
              }\
              """,
              java.util.List.of(name, tag));
      if (Boolean.TRUE.equals(found)) {
        return;
      }
    }
    throw new AssertionError("the tabulator never leads to " + name);
  }
}
