package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Overview, list of jobs, and one job. */
@ExtendWith(InBrowser.class)
class JobPagesTest {
  private static final String GRAPH =
      """
      imker: 1
      name: weather
      project: climate
      stages:
        - name: fetch
          command: echo 'day,rain' > data.csv; echo '1,<b>3</b>' >> data.csv
        - name: model
          command: echo model ${p}; echo '{"p":${p}}' > out.json
          sweep: {p: 1..3}
          after: fetch
        - name: report
          command: echo broken >&2; exit 3
          max-failures: 1
          after: model
      """;

  @Test
  void the_overview_tells_what_happens_and_what_needs_somebody(Visit visit) {
    visit.world().calls().finished(GRAPH);
    visit.open("overview", "apiary");
    Page page = visit.page();
    assertThat(page.getByText("Machines in use")).isVisible();
    assertThat(page.getByText(Pattern.compile("of [1-9]+ slots"))).isVisible();
    Locator trouble =
        page.getByRole(AriaRole.LISTITEM)
            .filter(new Locator.FilterOptions().setHasText("weather) failed too often"))
            .first();
    assertThat(trouble).containsText("Ended with exit code 3");
    assertThat(page.locator("imker-plot[data-drawn]")).hasCount(3);
    visit.picture("overview");
    trouble.getByRole(AriaRole.LINK).click();
    assertThat(visit.tab("Failures")).hasAttribute("aria-selected", "true");
    assertThat(page.getByText("Exit code 3.")).isVisible();
  }

  @Test
  void jobs_are_filtered_by_address_and_steered_together(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long one = calls.submit("imker: 1\nname: sleeper-a\npriority: 2\ncommand: sleep 600\n");
    long two = calls.submit("imker: 1\nname: sleeper-b\ncommand: sleep 600\n");
    visit.open("jobs?name=sleeper", "Jobs");
    Page page = visit.page();
    assertThat(page.locator("tbody tr")).hasCount(2);
    visit.picture("jobs");
    page.getByLabel("Choose job " + one).check();
    page.getByLabel("Choose job " + two).check();
    page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Actions on chosen jobs"))
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Cancel"))
        .click();
    page.getByRole(AriaRole.DIALOG)
        .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Cancel 2 jobs"))
        .click();
    assertThat(page.locator("tbody .chip.cancelled")).hasCount(2);
    page.getByLabel("Status").selectOption("RUNNING");
    assertThat(page.getByText("No job matches this filter")).isVisible();
    assertThat(page).hasURL(Pattern.compile("status=RUNNING"));
  }

  @Test
  void the_jobs_of_one_program_are_one_row_that_unfolds(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long first = calls.submitOfProgram("program-1", "program-1/1/1", "of-a-program");
    long alone = calls.submitOfProgram("program-1", "program-1/2/1", "of-a-program");
    visit.open("jobs?name=of-a-program", "Jobs");
    Page page = visit.page();
    assertThat(page.locator("tbody tr")).hasCount(2);
    long last = calls.submitOfProgram("program-1", "program-1/1/2", "of-a-program");
    page.reload();
    assertThat(page.locator("tbody tr")).hasCount(2);
    Locator together = page.locator("tbody tr").first();
    assertThat(together).containsText(first + "–" + last);
    assertThat(together).containsText("2 jobs");
    assertThat(together).containsText("2 / 2");
    assertThat(page.locator("tbody tr").last()).containsText(Long.toString(alone));
    together.getByRole(AriaRole.BUTTON).click();
    assertThat(page.locator("tbody tr")).hasCount(4);
    assertThat(page.locator("tbody tr").nth(2)).containsText("↳ " + first);
    page.getByLabel("Choose jobs " + first + "–" + last).check();
    assertThat(page.getByText("2 jobs chosen")).isVisible();
    page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Job").setExact(true))
        .click();
    assertThat(page.locator("tbody tr")).hasCount(3);
  }

  @Test
  void a_new_job_appears_by_itself_and_is_watched_to_its_end(Visit visit) {
    visit.open("jobs", "Jobs");
    visit.world().calls().submit("imker: 1\nname: newcomer\ncommand: sleep 1; echo finished\n");
    visit.link("newcomer").click();
    assertThat(visit.page().locator(".page-head .chip.done")).isVisible();
    assertThat(visit.page().getByText("1 of 1 task done")).isVisible();
  }

  @Test
  void a_job_of_which_nothing_runs_says_why(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long early =
        calls.submit("imker: 1\nname: not-yet\nstart-at: 2100-01-01T05:06:00Z\ncommand: echo\n");
    long unfit = calls.submit("imker: 1\nname: too-big\nneeds: {memory: 900 TB}\ncommand: echo\n");
    visit.open("job/" + early, "not-yet #" + early);
    assertThat(visit.page().locator(".why")).containsText("must not start before 1 Jan 2100");
    visit.open("job/" + unfit, "too-big #" + unfit);
    assertThat(visit.page().locator(".why")).containsText("No connected machine can run it");
    calls.cancel(early);
    calls.cancel(unfit);
    assertThat(visit.page().locator(".why")).hasCount(0);
  }

  @Test
  void a_job_shows_graph_timeline_results_and_definition(Visit visit) throws Exception {
    long job = visit.world().calls().finished(GRAPH);
    visit.open("job/" + job + "?tab=tasks", "weather #" + job);
    Page page = visit.page();
    assertThat(page.locator("tbody tr")).hasCount(5);
    visit.picture("job");
    visit.tab("Graph").click();
    assertThat(page.locator(".graph .node")).hasCount(3);
    assertThat(page.locator(".graph .edge")).hasCount(2);
    visit.button("model: 3 of 3 done").click();
    assertThat(page.locator(".graph .node.task")).hasCount(3);
    assertThat(page.locator(".graph .edge")).hasCount(8);
    visit.picture("job-graph");
    visit.button("Fit").click();
    visit.button("model: 3 of 3 done").click();
    assertThat(page.locator(".graph .node")).hasCount(3);
    visit.tab("Timeline").click();
    assertThat(page.locator("imker-timeline imker-plot[data-drawn]")).isVisible();
    visit.picture("job-timeline");
    visit.tab("Results").click();
    page.getByLabel("Preview data.csv").click();
    assertThat(
            page.getByRole(
                AriaRole.CELL, new Page.GetByRoleOptions().setName("<b>3</b>").setExact(true)))
        .isVisible();
    visit.picture("job-results");
    Download archive = page.waitForDownload(() -> visit.link("Download all (.zip)").click());
    assertThat(names(archive)).contains("0001/data.csv", "0002/out.json", "0002/stdout");
    visit.tab("Definition").click();
    assertThat(page.locator("pre")).containsText("name: weather");
  }

  private static List<String> names(Download archive) throws Exception {
    List<String> names = new ArrayList<>();
    try (InputStream in = archive.createReadStream();
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        names.add(entry.getName());
      }
    }
    return names;
  }

  @Test
  void a_task_shows_its_output_as_it_comes_and_why_it_ended(Visit visit) {
    long job =
        visit
            .world()
            .calls()
            .submit(
                """
                imker: 1
                name: talker
                command: echo '<img src=x onerror=alert(1)>'; sleep 600
                """);
    visit.open("job/" + job + "?task=1", "talker #" + job);
    Page page = visit.page();
    assertThat(page.getByRole(AriaRole.LOG)).containsText("<img src=x onerror=alert(1)>");
    assertThat(page.locator("p.explain:not(.quiet)")).containsText("running");
    visit.picture("task");
    visit.button("Cancel").click();
    visit.button("Cancel the job").click();
    assertThat(page.locator(".page-head .chip.cancelled")).isVisible();
  }

  @Test
  void a_job_is_run_again(Visit visit) {
    long job = visit.world().calls().finished("imker: 1\nname: twice\ncommand: echo again\n");
    visit.open("job/" + job, "twice #" + job);
    visit.button("Run again").click();
    assertThat(visit.heading("twice #" + (job + 1))).isVisible();
  }

  @Test
  void a_job_of_a_million_tasks_is_as_quick_as_any(Visit visit) {
    long job =
        visit
            .world()
            .calls()
            .submit(
                """
                imker: 1
                name: million
                command: sleep 600 ${n}
                sweep: {n: 1..1000000}
                """);
    visit.open("job/" + job + "?number=999990", "million #" + job);
    assertThat(visit.page().locator("tbody tr")).hasCount(11);
    visit.tab("Graph").click();
    assertThat(visit.page().locator(".graph .node")).hasCount(1);
    visit.button("Cancel").click();
    visit.button("Cancel the job").click();
    assertThat(visit.page().locator(".page-head .chip.cancelled")).isVisible();
  }

  @Test
  void tasks_are_sorted_by_their_columns_on_the_server(Visit visit) {
    long job =
        visit
            .world()
            .calls()
            .finished("imker: 1\nname: order\ncommand: echo ${n}\nsweep: {n: 1..60}\n");
    visit.open("job/" + job, "order #" + job);
    Page page = visit.page();
    assertThat(page.locator("imker-tasks tbody tr").first()).containsText("n=1");
    visit.button("Task ▲").click();
    assertThat(page.locator("imker-tasks tbody tr").first()).containsText("n=60");
    visit.button("Run time").click();
    assertThat(page).hasURL(Pattern.compile("order=duration"));
    assertThat(page.locator("th[aria-sort=ascending]")).containsText("Run time");
  }

  @Test
  void all_jobs_are_sorted_by_the_server(Visit visit) {
    PoolCalls calls = visit.world().calls();
    for (String name : List.of("sorted-b", "sorted-c", "sorted-a")) {
      calls.finished("imker: 1\nname: %s\ncommand: echo\n".formatted(name));
    }
    visit.open("jobs?name=sorted-", "Jobs");
    Locator rows = visit.page().locator("tbody tr");
    assertThat(rows.first()).containsText("sorted-a");
    visit.button("Name").click();
    assertThat(rows.first()).containsText("sorted-c");
    visit.button("Name ▼").click();
    assertThat(rows.first()).containsText("sorted-a");
    assertThat(visit.page().locator("th[aria-sort=ascending]")).containsText("Name");
  }

  /** A state has one name, and a button that leads to it. */
  @Test
  void a_job_is_held_and_released(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long job = calls.submit("imker: 1\nname: holding\nneeds: {memory: 900 TB}\ncommand: echo\n");
    visit.open("job/" + job, "holding #" + job);
    visit.button("Hold").click();
    assertThat(visit.page().locator(".page-head .chip.held")).hasText("held");
    assertThat(visit.page().locator(".legend")).hasText("1 held");
    assertThat(visit.page().locator("imker-tasks tbody .chip")).hasText("held");
    visit.button("Release").click();
    assertThat(visit.page().locator(".page-head .chip.held")).hasCount(0);
    calls.cancel(job);
  }

  /** What an agent has in advance is ready, and not running. */
  @Test
  void no_more_runs_than_there_is_room_for(Visit visit) {
    PoolCalls calls = visit.world().calls();
    calls.finished("imker: 1\nname: ahead\ncommand: echo ${n}\nsweep: {n: 1..300}\n");
    long job = calls.submit("imker: 1\nname: ahead\ncommand: sleep 600 ${n}\nsweep: {n: 1..60}\n");
    visit.open("job/" + job, "ahead #" + job);
    assertThat(visit.page().locator(".legend")).containsText(Pattern.compile("\\b4 running"));
    assertThat(visit.page().locator("imker-tasks tbody .chip.running")).hasCount(4);
    visit.open("overview", "apiary");
    assertThat(visit.page().locator(".figures dd").nth(3))
        .hasText(Pattern.compile("^4 of 4 slots"));
    visit.open("nodes", "Nodes");
    assertThat(visit.page().locator("imker-nodes tbody tr").first()).containsText("4 / 4");
    calls.cancel(job);
  }

  /** One clock and one language, in the time zone of who looks. */
  @Test
  void times_are_those_of_the_reader_by_one_clock(PageWorld world) {
    long job = world.calls().finished("imker: 1\nname: timely\ncommand: echo\n");
    java.time.ZonedDateTime submitted =
        java.time.Instant.parse(world.calls().get("/api/v1/jobs/" + job).get("submitted").asText())
            .atZone(java.time.ZoneId.of("Asia/Kathmandu"));
    try (Visit visit =
        Visit.of(
            world,
            new Browser.NewContextOptions().setLocale("en-US").setTimezoneId("Asia/Kathmandu"))) {
      visit.open("job/" + job + "?tab=history", "timely #" + job);
      String expected =
          submitted.format(
              java.time.format.DateTimeFormatter.ofPattern("d MMM uuuu, HH:mm:ss", Locale.UK));
      assertThat(visit.page().locator("imker-history tbody td").first())
          .hasText(expected.replace("Sep ", "Sept "));
      visit.tab("Tasks").click();
      visit.link("Task 1").click();
      assertThat(visit.page().locator("imker-task table"))
          .containsText(submitted.format(java.time.format.DateTimeFormatter.ofPattern("HH:")));
    }
  }

  @Test
  void an_unknown_job_is_told_in_words(Visit visit) {
    visit.page().navigate("/#/job/987654");
    assertThat(visit.heading("There is no job 987654")).isVisible();
    assertThat(visit.link("All jobs")).isVisible();
    visit.complaints().clear(); // a browser complains about every answer that is not found
  }
}
