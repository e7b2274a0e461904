package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Planner, simulator and charts. */
@ExtendWith(InBrowser.class)
class ThinkingPagesTest {
  @Test
  void a_plan_is_found_from_has_and_wants(Visit visit) {
    visit.open("planner", "Planner");
    visit.button("Find a plan").click();
    Page page = visit.page();
    assertThat(page.getByText("5 steps, 5 actions")).isVisible();
    assertThat(page.locator(".graph .node")).hasCount(5);
    assertThat(visit.barriers()).isEmpty();
    visit.wholePicture("planner");
    editor(visit, "Wants").fill("Report, Nonsense");
    visit.button("Find a plan").click();
    assertThat(page.getByText("Nonsense cannot be reached.")).isVisible();
    assertThat(page.getByText("No action makes Nonsense, and it is not known.")).isVisible();
    assertThat(visit.button("Run as a job")).hasCount(0);
    editor(visit, "Wants").fill("Report");
    editor(visit, "Has").fill("Nothing");
    visit.button("Find a plan").click();
    assertThat(page.getByText("No action makes Settings or Address, and none of them is known."))
        .isVisible();
  }

  @Test
  void what_is_wanted_becomes_a_job_that_makes_it(Visit visit) {
    visit.open("planner", "Planner");
    Page page = visit.page();
    editor(visit, "Actions")
        .fill(
            """
            carry(Freight f, Place from, Place to): At(f, from), Differs(from, to) -> At(f, to), !At(f, from)
            seal(Freight f, Place here): At(f, here), !Wet(f) -> Sealed(f)
            """);
    editor(visit, "Has").fill("Freight(tea), Place(kandy), Place(galle), At(tea, kandy)");
    editor(visit, "Wants").fill("Sealed(tea), At(tea, galle)");
    visit.button("Find a plan").click();
    assertThat(page.getByText("2 actions")).isVisible();
    Locator bindings = editor(visit, "What the actions do");
    assertThat(bindings)
        .hasValue(Pattern.compile("carry:\\s+command: echo carry \\$\\{f} \\$\\{from} \\$\\{to}"));
    bindings.fill("imker: 1\nactions:\n  carry: {comand: echo}\n  seal: {command: echo}\n");
    visit.button("Run as a job").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("actions.yaml:3:");
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("Did you mean command?");
    visit.complaints().clear(); // a refusal is written down by the browser
    assertThat(visit.barriers()).isEmpty();
    bindings.fill(
        """
        imker: 1
        name: shipment
        actions:
          carry:
            command: echo ${f} from ${from} to ${to}
          seal:
            command: echo ${f} sealed
        """);
    visit.button("Run as a job").click();
    assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)))
        .containsText("shipment");
    assertThat(page.locator(".page-head .chip.done")).isVisible();
    assertThat(page.locator("imker-tasks tbody tr")).hasCount(2);
    assertThat(page.locator("imker-tasks tbody tr").filter(hasText("f=tea"))).hasCount(2);
  }

  private static Locator.FilterOptions hasText(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  private static com.microsoft.playwright.Locator editor(Visit visit, String name) {
    return visit
        .page()
        .getByRole(AriaRole.TEXTBOX, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  @Test
  void a_plan_is_found_from_pddl_and_mistakes_are_told_with_their_place(Visit visit) {
    visit.open("planner?form=pddl", "Planner");
    visit.button("Find a plan").click();
    assertThat(visit.page().getByText("3 steps, 5 actions")).isVisible();
    assertThat(visit.page().getByText("Planning graph")).isVisible();
    assertThat(editor(visit, "What the actions do"))
        .hasValue(Pattern.compile("fly:\\s+command: echo fly \\$\\{a}.*", Pattern.DOTALL));
    visit.button("Run as a job").click();
    assertThat(visit.page().getByText("fly-heron-london-paris").first()).isVisible();
    visit.open("planner?form=pddl", "Planner");
    editor(visit, "Problem").fill("(define (problem x) (:goal");
    visit.button("Find a plan").click();
    assertThat(visit.page().getByRole(AriaRole.ALERT)).containsText("line 1");
    visit.complaints().clear(); // a refusal is written down by the browser
  }

  @Test
  void strategies_are_compared_on_a_described_pool(Visit visit) {
    visit.open("simulator", "Simulator");
    Page page = visit.page();
    editor(visit, "Description of the pool")
        .fill(
            """
            name: tiny
            minutes: 100
            machines:
              - {name: pcs, count: 5, benchmark: 4000, cores: 2, failures: {percent: 0.1}}
            work:
              - {project: one, user: ann, tasks: 40, minutes: {median: 4, sigma: 0.3}}
            """);
    page.getByLabel("Runs of each").fill("1");
    visit.button("Run").click();
    assertThat(page.getByText("tiny: 5 nodes, 40 tasks")).isVisible();
    assertThat(page.getByText("cores in use").first()).isVisible();
    assertThat(page.locator("imker-plot[data-drawn]")).hasCount(4);
    assertThat(visit.barriers()).isEmpty();
    visit.wholePicture("simulator");
    assertThat(page.getByText("project with the fewest running tasks").first()).isVisible();
    String before = visit.world().calls().get("/api/v1/strategy").get("name").asText();
    try {
      visit.button("Use balanced in this pool").click();
      page.getByRole(AriaRole.DIALOG)
          .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Use it"))
          .click();
      assertThat(page.getByText("The pool now uses the strategy balanced.")).isVisible();
      assertThat(visit.world().calls().get("/api/v1/strategy").get("name").asText())
          .isEqualTo("balanced");
    } finally {
      visit.world().calls().put("/api/v1/strategy", Map.of("name", before, "parameters", Map.of()));
    }
    editor(visit, "Description of the pool").fill("name: [");
    visit.button("Run").click();
    assertThat(page.getByRole(AriaRole.ALERT)).containsText("pool.yaml");
    visit.complaints().clear(); // a refusal is written down by the browser
  }

  @Test
  void an_analysis_shows_candles_the_account_the_surface_and_how_others_did(
      Visit visit, @TempDir Path folder) throws Exception {
    Path out = analyse(folder, "dip", 8);
    Path other = analyse(folder, "rip", 4);
    visit.open("charts", "Charts");
    Page page = visit.page();
    page.getByLabel("Open files").setInputFiles(new Path[] {out.resolve("result.json")});
    assertThat(page.getByText("Surface of")).isVisible();
    assertThat(page.locator("imker-plot[data-drawn]")).hasCount(2);
    try (var files = Files.list(out.resolve("prices"))) {
      page.getByLabel("Open files").setInputFiles(files.toArray(Path[]::new));
    }
    assertThat(page.locator("imker-plot[data-drawn]")).hasCount(3);
    page.getByLabel("Open files").setInputFiles(new Path[] {other.resolve("result.json")});
    assertThat(page.getByText("analyses side by side")).isVisible();
    assertThat(page.locator("imker-plot[data-drawn]")).hasCount(4);
    assertThat(visit.barriers()).isEmpty();
    visit.wholePicture("charts");
  }

  @Test
  void candles_come_with_the_job_that_made_the_analysis(Visit visit) {
    long job = visit.world().calls().finished(charted(3));
    visit.open("job/" + job + "?tab=results", "charted #" + job);
    visit.link("Show as charts").click();
    assertThat(visit.heading("Charts")).isVisible();
    Page page = visit.page();
    assertThat(page.getByText("GO LD, 2024-01-02 to 2024-01-03")).isVisible();
    assertThat(page.getByLabel("Candles of GO LD")).isVisible();
    assertThat(page.locator("imker-plot[data-drawn]")).hasCount(2);
  }

  private static String charted(int lastClose) {
    return """
    imker: 1
    name: charted
    command: |
      mkdir prices
      echo date,open,high,low,close > prices/GO_LD.csv
      echo 2024-01-02,1,3,1,2 >> prices/GO_LD.csv
      echo 2024-01-03,2,99,2,%d >> prices/GO_LD.csv
      echo '{"kind":"backtest","name":"By hand","complete":true,"warnings":[],"perMarket":[{"market":"GO LD","fromDate":"2024-01-02","toDate":"2024-01-03","parameters":{},"figures":{"trades":0},"trades":[],"firstBar":7,"curve":[100,110]}]}' > result.json
    results: [result.json, prices/*]
    """
        .formatted(lastClose);
  }

  /** Markets of two analyses have one name, and not the same prices. */
  @Test
  void each_analysis_is_drawn_with_its_own_prices(Visit visit) {
    long one = visit.world().calls().finished(charted(3));
    long other = visit.world().calls().finished(charted(77));
    Page page = visit.page();
    visit.open("charts?job=" + one, "Charts");
    assertThat(page.getByLabel("Candles of GO LD")).isVisible();
    page.evaluate("location.hash = '#/charts?job=" + other + "'");
    page.waitForCondition(() -> lastClose(page) == 77);
    Locator rows = page.locator("section[aria-labelledby=runs-title] tbody tr");
    assertThat(rows).hasCount(2);
    rows.first().getByRole(AriaRole.BUTTON).click();
    page.waitForCondition(() -> lastClose(page) == 3);
    rows.last().getByRole(AriaRole.BUTTON).click();
    page.waitForCondition(() -> lastClose(page) == 77);
  }

  /** Of the prices that are drawn, which a picture would not tell. */
  private static int lastClose(Page page) {
    Object close =
        page.evaluate("document.querySelector('imker-charts').drawn?.bars?.at(-1).close ?? 0");
    return ((Number) close).intValue();
  }

  /** Runs an analysis on this machine; the folder of its report. */
  private static Path analyse(Path folder, String name, int limit) throws Exception {
    Path yaml = Files.writeString(folder.resolve(name + ".yaml"), analysis(name, limit));
    PrintStream quiet =
        new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    if (!Files.exists(folder.resolve("data"))) {
      dev.imker.charts.command.ChartCommands.generateData(
          folder.resolve("data"), 2, 3, 8, "mean-reversion", quiet);
    }
    Path out = folder.resolve("out-" + name);
    dev.imker.charts.command.ChartCommands.run(
        yaml,
        out,
        1,
        true,
        quiet,
        dev.imker.charts.Progress.SILENT,
        dev.imker.charts.Cancellation.NEVER);
    return out;
  }

  private static String analysis(String name, int most) {
    return """
    kind: optimise
    name: Buy the %s
    data: {folder: data}
    strategy:
      indicators:
        r: {rsi: {bars: {from: 2, to: %d, step: 2}}}
      enter: [{under: [r, {name: low, from: 10, to: 30, step: 10}]}]
      exit: [{over: [r, 65]}]
    optimise: {objective: sharpe}
    """
        .formatted(name, most);
  }

  @Test
  void a_file_that_is_no_analysis_is_refused_in_words(Visit visit) {
    visit.open("charts", "Charts");
    visit
        .page()
        .getByLabel("Open files")
        .setInputFiles(
            new FilePayload(
                "result.json", "application/json", "{}".getBytes(StandardCharsets.UTF_8)));
    assertThat(visit.page().getByText("None of these files")).isVisible();
    visit
        .page()
        .getByLabel("Open files")
        .setInputFiles(
            new FilePayload(
                "half.json",
                "application/json",
                "{\"kind\":\"backtest\",\"name\":\"Half\",\"perMarket\":[{\"market\":\"X\"}]}"
                    .getBytes(StandardCharsets.UTF_8)));
    assertThat(visit.page().getByText("Half")).isVisible(); // what it lacks is left out
  }
}
