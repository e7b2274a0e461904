package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What tasks measured, over parameters and between runs; all attempts of large jobs. */
@ExtendWith(InBrowser.class)
class ComparePagesTest {
  /** A picture of four pixels that every task leaves behind. */
  private static final String PNG =
      "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==";

  private static String training(String factor) {
    return """
    imker: 1
    name: training
    command: |
      echo "imker:metric loss=0.9"
      echo "imker:metric loss=0.${rate}${depth} f1=0.5 note=none"
      echo %s | base64 -d > plot.png; echo %s > used.txt
    sweep: {rate: [1, 2, 4], depth: [3, 5]}
    """
        .formatted(PNG, factor);
  }

  @Test
  void a_metric_is_shown_over_parameters(Visit visit) {
    long job = visit.world().calls().finished(training("one"));
    visit.open("job/" + job + "?tab=metrics", "training #" + job);
    Page page = visit.page();
    Locator rows = page.locator("imker-metrics tbody tr");
    assertThat(rows).hasCount(6);
    visit.button("loss").click();
    visit.button("loss ▲").click();
    assertThat(rows.first()).containsText("0.450");
    visit.picture("job-metrics");
    visit.button("Lines").click();
    assertThat(page.getByLabel("loss over rate")).isVisible();
    assertThat(page.locator("imker-metrics imker-plot[data-drawn]")).isVisible();
    visit.button("Heat map").click();
    assertThat(page.getByLabel("loss over rate and depth")).isVisible();
    visit.picture("job-heat-map");
    visit.button("Parallel axes").click();
    assertThat(page.getByLabel("loss over all parameters")).isVisible();
    visit.picture("job-parallel");
    page.locator("select[name=metric]").selectOption("f1");
    assertThat(page.getByLabel("f1 over all parameters")).isVisible();
    assertThat(page).hasURL(Pattern.compile("metric=f1"));
    visit.button("Pictures").click();
    assertThat(page.locator(".thumbnails img")).hasCount(6);
    assertThat(page.getByAltText("plot.png of rate=4 depth=5")).isVisible();
  }

  @Test
  void two_runs_are_seen_side_by_side(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long first = calls.finished(training("one"));
    long second = calls.finished(training("two").replace("0.${rate}", "0.0${rate}"));
    visit.open("job/" + second, "training #" + second);
    visit.link("Compare").click();
    assertThat(visit.heading("Compare")).isVisible();
    Page page = visit.page();
    assertThat(visit.link("training #" + first)).isVisible();
    assertThat(page.locator("pre .removed")).not().hasCount(0);
    assertThat(page.getByText("6 tasks with the same parameters")).isVisible();
    Locator row = page.getByLabel("Tasks side by side").getByRole(AriaRole.ROW).nth(1);
    assertThat(row).containsText("differ");
    assertThat(row).containsText("done → done");
    assertThat(page.getByText("−90.0 %")).isVisible();
    visit.wholePicture("compare");
  }

  @Test
  void a_timeline_has_all_attempts_however_many(Visit visit) {
    long job =
        visit
            .world()
            .calls()
            .submit(
                """
                imker: 1
                name: many
                command: sleep 600 ${n}
                sweep: {n: 1..5000}
                """);
    Page page = visit.page();
    page.route(
        "**/api/v1/jobs/" + job + "/timeline",
        route -> {
          String body = route.fetch().text();
          route.fulfill(
              new Route.FulfillOptions()
                  .setContentType("application/json")
                  .setBody(body.replaceAll(",\"runs\":\\[.*]", "")));
        });
    visit.open("job/" + job + "?tab=timeline", "many #" + job);
    assertThat(page.getByLabel(Pattern.compile("attempts ran at each time, by how they ended")))
        .isVisible();
    assertThat(page.locator("imker-timeline imker-plot[data-drawn]")).hasCount(2);
    visit.world().calls().cancel(job);
  }
}
