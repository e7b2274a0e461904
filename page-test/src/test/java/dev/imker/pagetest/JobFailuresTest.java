package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.SelectOption;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The way of somebody who asks: this failed, why? */
@ExtendWith(InBrowser.class)
class JobFailuresTest {
  private static final String JOB =
      """
      imker: 1
      name: torn
      stages:
        - name: write
          command: |
            if [ ${size} = large ]; then
              seq 400 >&2; echo "block ${n}0 does not fit" >&2; exit 7
            fi
            if [ ${n} = 4 ]; then echo odd one out >&2; exit 9; fi
            echo wrote ${n}
          sweep: {size: [small, large], n: 1..6}
          max-failures: 1
        - name: report
          command: echo
          after: write
      """;

  private long job;

  @BeforeEach
  void fail(PageWorld world) {
    job = world.calls().finished(JOB);
  }

  @Test
  void a_failed_job_opens_on_why_it_failed(Visit visit) {
    visit.open("job/" + job, "torn #" + job);
    Page page = visit.page();
    assertThat(visit.tab("Failures")).hasAttribute("aria-selected", "true");
    assertThat(page.getByText("7 tasks failed, 1 skipped")).isVisible();
    Locator groups = page.locator("imker-failures article");
    assertThat(groups).hasCount(2);
    assertThat(groups.first()).containsText("6 failed");
    assertThat(groups.first()).containsText("block 10 does not fit");
    assertThat(groups.first()).containsText("Exit code 7");
    assertThat(groups.first()).containsText("size=large");
    assertThat(groups.first()).containsText("Tasks 7–12");
    assertThat(groups.nth(1)).containsText("odd one out");
    assertThat(
            page.getByText("6 of 7 failed tasks had size=large; none of the 5 that succeeded did"))
        .isVisible();
    assertThat(page.locator(".legend")).containsText("7 failed");
    assertThat(page.locator(".legend")).containsText("1 skipped");
    visit.wholePicture("job-failures");
    visit.button("Errors of task 7").click();
    assertThat(page.getByRole(AriaRole.LOG)).containsText("block 10 does not fit");
    Number rest =
        (Number)
            page.evaluate(
                "() => { const log = document.querySelector('pre.log');"
                    + " return log.scrollHeight - log.scrollTop - log.clientHeight; }");
    assertThat(rest.intValue()).as("pixels below what is in view").isLessThan(2);
  }

  @Test
  void failed_and_skipped_tasks_are_told_apart_wherever_they_are_counted(Visit visit) {
    Page page = visit.page();
    for (String tab : List.of("history", "tasks", "graph")) {
      visit.open("job/" + job + "?tab=" + tab, "torn #" + job);
      assertThat(page.locator("main .legend")).containsText("7 failed");
      assertThat(page.locator("main .legend")).containsText("1 skipped");
      assertThat(visit.button("Retry 7 failed")).isVisible();
    }
    assertThat(page.locator(".graph .node .fill-skipped")).hasCount(1);
    visit.open("jobs?name=" + job, "Jobs");
    Locator row =
        page.locator("tbody tr").filter(new Locator.FilterOptions().setHasText("torn")).first();
    assertThat(row.locator("td").nth(6)).hasText("7");
  }

  @Test
  void a_job_that_failed_for_good_needs_attention_and_says_why(Visit visit) {
    visit
        .world()
        .calls()
        .finished(
            """
            imker: 1
            name: slow-coach
            max-runtime: 1s
            command: echo still busy >&2; exec sleep 60
            """);
    visit.open("overview", "apiary");
    Locator item =
        visit
            .page()
            .getByRole(AriaRole.LISTITEM)
            .filter(new Locator.FilterOptions().setHasText("(slow-coach) failed"))
            .first();
    assertThat(item).containsText("still busy");
    item.getByRole(AriaRole.LINK).click();
    assertThat(visit.tab("Failures")).hasAttribute("aria-selected", "true");
  }

  @Test
  void an_opened_task_that_failed_shows_its_errors(Visit visit) {
    visit.open("job/" + job + "?task=7", "torn #" + job);
    assertThat(visit.page().getByRole(AriaRole.LOG)).containsText("block 10 does not fit");
    assertThat(visit.button("Errors")).hasAttribute("aria-pressed", "true");
    assertThat(visit.page().locator("p.explain:not(.quiet)"))
        .containsText("Task " + job + ".7 failed.");
    visit.page().navigate("/#/job/" + job + "?task=13");
    assertThat(visit.page().locator("p.explain:not(.quiet)")).containsText("was skipped.");
  }

  @Test
  void tasks_are_searched_by_parameter_node_exit_code_and_text(Visit visit) {
    visit.open("job/" + job + "?tab=tasks", "torn #" + job);
    Page page = visit.page();
    Locator rows = page.locator("imker-tasks tbody tr");
    assertThat(rows).hasCount(13);
    page.getByLabel("Parameters").fill("size=sm*, n=4");
    visit.button("Search").last().click();
    assertThat(rows).hasCount(1);
    assertThat(rows).containsText("failed");
    visit.link("Clear").click();
    assertThat(rows).hasCount(13);
    page.getByLabel("Exit code").fill("7");
    visit.button("Search").last().click();
    assertThat(rows).hasCount(6);
    visit.link("Clear").click();
    page.getByLabel("Text in the output").fill("WROTE 3");
    visit.button("Search").last().click();
    assertThat(rows).hasCount(1);
    assertThat(rows).containsText("n=3");
    visit.link("Clear").click();
    page.getByLabel("Node").fill("nowhere*");
    visit.button("Search").last().click();
    assertThat(page.getByText("No task fits")).isVisible();
    visit.link("Clear").click();
    page.locator("select[name=state]").selectOption("skipped");
    assertThat(rows).hasCount(1);
    assertThat(rows.locator(".chip.skipped")).isVisible();
    page.locator("select[name=state]").selectOption("failed");
    assertThat(rows).hasCount(7);
  }

  @Test
  void failed_tasks_are_tried_again_elsewhere_or_with_more_memory(Visit visit) {
    visit.open("job/" + job, "torn #" + job);
    Page page = visit.page();
    visit.button("Try again…").last().click();
    String node = visit.world().calls().get("/api/v1/nodes/bee-1").path("name").asText();
    page.getByLabel("Where").selectOption(new SelectOption().setLabel("Only on " + node));
    inDialog(visit).click();
    assertThat(page.getByText("1 task will be tried again.")).isVisible();
    assertThat(visit.world().calls().get("/api/v1/tasks/" + job + ".4").at("/own/pin").asText())
        .isNotEmpty();
    visit.open("job/" + job + "?tab=failures", "torn #" + job);
    visit.button("Try again…").first().click();
    page.getByLabel("Memory per task").fill("300");
    inDialog(visit).click();
    assertThat(visit.heading("Submit a job")).isVisible();
    Locator editor =
        page.getByRole(
            AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Job file").setExact(true));
    assertThat(editor).hasValue(Pattern.compile("memory: 300 ?MB"));
    assertThat(page.getByText("torn: 6 tasks")).isVisible();
  }

  @Test
  void failed_tasks_become_a_job_with_other_parameters(Visit visit) {
    visit.open("job/" + job + "?tab=failures", "torn #" + job);
    Page page = visit.page();
    visit.button("Try again…").first().click();
    page.getByLabel("Change parameters or other fields first").check();
    inDialog(visit).click();
    assertThat(visit.heading("Submit a job")).isVisible();
    assertThat(page.getByText("torn: 6 tasks")).isVisible();
    Locator editor =
        page.getByRole(
            AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName("Job file").setExact(true));
    editor.fill(editor.inputValue().replace("large", "small"));
    assertThat(page.getByText("no mistakes")).isVisible();
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Submit").setExact(true))
        .click();
    assertThat(visit.heading("torn #" + (job + 1))).isVisible();
  }

  private static Locator inDialog(Visit visit) {
    return visit
        .page()
        .getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Try again"));
  }
}
