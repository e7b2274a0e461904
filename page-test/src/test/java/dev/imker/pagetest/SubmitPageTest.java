package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.FilePayload;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InBrowser.class)
class SubmitPageTest {
  private static Locator editor(Visit visit) {
    return visit.page().getByRole(AriaRole.TEXTBOX, named("Job file"));
  }

  private static Page.GetByRoleOptions named(String name) {
    return new Page.GetByRoleOptions().setName(name).setExact(true);
  }

  @Test
  void the_form_writes_the_file_and_files_travel_with_the_job(Visit visit) {
    visit.open("submit", "Submit a job");
    Page page = visit.page();
    page.getByLabel("Command").fill("sort words.txt > sorted-${n}.txt; cat sorted-${n}.txt");
    page.getByLabel("Values of parameter 1").fill("1..3");
    page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("sorting");
    page.getByLabel("Choose files")
        .setInputFiles(
            new FilePayload(
                "words.txt", "text/plain", "pear\napple\n".getBytes(StandardCharsets.UTF_8)));
    assertThat(editor(visit)).hasValue(java.util.regex.Pattern.compile("words\\.txt"));
    assertThat(page.getByText("sorting: 3 tasks")).isVisible();
    assertThat(visit.barriers()).isEmpty();
    visit.picture("submit");
    visit.page().getByRole(AriaRole.BUTTON, named("Submit")).click();
    assertThat(page.locator(".page-head .chip.done")).isVisible();
    page.getByLabel("Task 2").click();
    assertThat(page.getByRole(AriaRole.LOG)).hasText("apple\npear\n");
  }

  @Test
  void mistakes_are_told_while_typing_and_nothing_can_be_submitted(Visit visit) {
    visit.open("submit", "Submit a job");
    Page page = visit.page();
    editor(visit).fill("imker: 1\ncommand: echo\nprioritty: 3\n");
    assertThat(page.getByLabel("Mistakes")).containsText("prioritty");
    assertThat(page.getByRole(AriaRole.BUTTON, named("Submit"))).isDisabled();
    visit.button("line 3").click();
    assertThat(editor(visit)).isFocused();
    editor(visit).fill("imker: 1\ncommand: echo\n");
    assertThat(page.getByText("no mistakes")).isVisible();
  }

  @Test
  void what_no_machine_has_is_told_before_the_job_is_submitted(Visit visit) {
    visit.open("submit", "Submit a job");
    Page page = visit.page();
    page.getByLabel("Cores").fill("6400");
    page.getByLabel("Memory").fill("1 GB");
    assertThat(editor(visit))
        .hasValue(java.util.regex.Pattern.compile("needs:\n  cores: 6400\n  memory: 1 GB\n"));
    assertThat(page.getByLabel("Mistakes")).containsText("No machine has 6400 cores");
    page.getByLabel("Cores").fill("2");
    page.getByLabel("Other resources").fill("laser=1");
    assertThat(page.getByLabel("Mistakes")).containsText("Nobody has 'laser'");
    assertThat(page.getByRole(AriaRole.BUTTON, named("Submit"))).isDisabled();
  }

  @Test
  void a_circle_of_stages_is_drawn(Visit visit) {
    visit.open("submit", "Submit a job");
    editor(visit)
        .fill(
            """
            imker: 1
            stages:
              - {name: a, command: x, after: b}
              - {name: b, command: x, after: a}
            """);
    assertThat(visit.page().locator(".graph .edge.wrong")).hasCount(2);
  }

  @Test
  void an_earlier_job_is_a_template(Visit visit) {
    long job = visit.world().calls().finished("imker: 1\nname: pattern\ncommand: echo of old\n");
    visit.open("job/" + job, "pattern #" + job);
    visit.link("Edit and resubmit").click();
    assertThat(editor(visit)).hasValue(java.util.regex.Pattern.compile("echo of old"));
    editor(visit).fill("imker: 1\nname: pattern\ncommand: echo of new\n");
    assertThat(visit.page().getByText("no mistakes")).isVisible();
    visit.page().getByRole(AriaRole.BUTTON, named("Submit")).click();
    assertThat(visit.heading("pattern #" + (job + 1))).isVisible();
    assertThat(visit.page().getByText("echo of new").first()).isVisible();
  }

  /** Chromium itself reads the folder, as it does when a person drops it. */
  @Test
  void a_dropped_folder_travels_with_the_paths_of_its_files(Visit visit) throws Exception {
    Path folder = Files.createDirectories(visit.world().folder().resolve("measured"));
    Files.createDirectories(folder.resolve("may"));
    Files.writeString(folder.resolve("read.me"), "rain in May\n");
    Files.writeString(folder.resolve("may").resolve("rain.txt"), "12 mm\n");
    visit.open("submit", "Submit a job");
    Page page = visit.page();
    page.getByLabel("Command").fill("cat measured/may/rain.txt");
    page.locator(".drop").scrollIntoViewIfNeeded();
    BoundingBox box = page.locator(".drop").boundingBox();
    CDPSession browser = page.context().newCDPSession(page);
    for (String type : List.of("dragEnter", "dragOver", "drop")) {
      JsonObject event =
          JsonParser.parseString(
                  """
                  {"type": "%s", "x": %f, "y": %f,
                   "data": {"items": [], "files": ["%s"], "dragOperationsMask": 1}}
                  """
                      .formatted(type, box.x + 20, box.y + box.height / 2, folder))
              .getAsJsonObject();
      browser.send("Input.dispatchDragEvent", event);
    }
    assertThat(page.getByLabel("Files", new Page.GetByLabelOptions().setExact(true)))
        .containsText("measured/may/rain.txt");
    assertThat(editor(visit)).hasValue(java.util.regex.Pattern.compile("measured/read\\.me"));
    visit.page().getByRole(AriaRole.BUTTON, named("Submit")).click();
    assertThat(page.locator(".page-head .chip.done")).isVisible();
    visit.link("Task 10").click();
    assertThat(page.getByRole(AriaRole.LOG)).hasText("12 mm\n");
  }

  /** As it is over plain HTTP from another machine. */
  @Test
  void where_the_browser_cannot_hash_files_another_way_is_told(Visit visit) {
    Page page = visit.page();
    page.addInitScript("Object.defineProperty(crypto, 'subtle', { value: undefined })");
    visit.open("submit", "Submit a job");
    page.getByLabel("Choose files")
        .setInputFiles(
            new FilePayload("a.txt", "text/plain", "a\n".getBytes(StandardCharsets.UTF_8)));
    assertThat(page.getByText("no mistakes")).isVisible();
    page.getByRole(AriaRole.BUTTON, named("Submit")).click();
    assertThat(page.getByText("Open this page by https")).isVisible();
  }

  @Test
  void a_draft_stays_until_it_is_submitted_or_discarded(Visit visit) {
    visit.open("submit", "Submit a job");
    Page page = visit.page();
    page.getByLabel("Command").fill("echo half-written");
    visit.open("jobs", "Jobs");
    page.reload();
    visit.open("submit", "Submit a job");
    assertThat(page.getByLabel("Command")).hasValue("echo half-written");
    assertThat(editor(visit)).hasValue(java.util.regex.Pattern.compile("echo half-written"));
    visit.link("Discard").click();
    assertThat(visit.heading("Jobs")).isVisible();
    visit.open("submit", "Submit a job");
    assertThat(page.getByLabel("Command")).not().hasValue("echo half-written");
  }

  @Test
  void a_submission_whose_answer_got_lost_is_taken_once(Visit visit) {
    visit.open("submit", "Submit a job");
    Page page = visit.page();
    page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("lost-answer");
    assertThat(page.getByText("no mistakes")).isVisible();
    page.route(
        "**/api/v1/jobfiles",
        route -> {
          route.fetch();
          route.abort();
        },
        new Page.RouteOptions().setTimes(1));
    visit.page().getByRole(AriaRole.BUTTON, named("Submit")).click();
    assertThat(page.getByText("The server does not answer.")).isVisible();
    visit.page().getByRole(AriaRole.BUTTON, named("Submit")).click();
    assertThat(page.locator("h1")).containsText("lost-answer");
    assertThat(visit.world().calls().jobsNamed("lost-answer")).isEqualTo(1);
    visit.complaints().clear(); // the browser writes down the answer that was lost
  }
}
