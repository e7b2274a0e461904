package dev.imker.pagetest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The main paths in Firefox; Chromium walks all of them. */
@ExtendWith(InBrowser.class)
class FirefoxTest {
  private static final String JOB =
      """
      imker: 1
      name: foxy
      command: if [ ${n} = 3 ]; then echo no honey left >&2; exit 4; fi; echo "imker:metric honey=${n}"
      sweep: {n: 1..5}
      max-failures: 1
      """;

  @Test
  void the_main_paths_are_walked_in_firefox_too(PageWorld world) {
    assumeTrue(Files.isExecutable(Firefox.PROGRAM), "needs apt-get install firefox-esr");
    long job = world.calls().finished(JOB);
    String site = world.server().address().toString();
    try (Firefox fox = new Firefox(world.folder().resolve("firefox"))) {
      fox.open(world.server().loginLink());
      fox.awaitText("h1", "apiary");
      fox.awaitText(".connection", "live");
      fox.awaitTrue("document.querySelectorAll('imker-plot[data-drawn]').length === 3");
      fox.open(site + "/#/jobs");
      fox.awaitText("tbody a", "foxy");
      fox.click("tbody a", "foxy");
      fox.awaitText("h1", "foxy");
      fox.awaitText("imker-failures article", "no honey left");
      fox.click("button", "Errors of task 3");
      fox.awaitText("pre.log", "no honey left");
      for (String tab : new String[] {"Tasks", "Graph", "Timeline", "Results", "Metrics"}) {
        fox.click("[role=tab]", tab);
        fox.awaitTrue(
            "document.querySelector('[role=tab][aria-selected=true]').textContent === '%s'"
                .formatted(tab));
        fox.awaitTrue("!document.querySelector('#tab-panel .loading')");
      }
      fox.click("button", "Lines");
      fox.awaitTrue("Boolean(document.querySelector('imker-metrics imker-plot[data-drawn]'))");
      fox.open(site + "/#/nodes");
      fox.awaitTrue("document.querySelectorAll('imker-nodes tbody tr').length > 0");
      fox.open(site + "/#/nodes?add=yes");
      fox.awaitTrue("Boolean(document.querySelector('svg.qr path'))");
      fox.open(site + "/#/node/bee-1");
      fox.awaitTrue("Boolean(document.querySelector('imker-usage imker-plot[data-drawn]'))");
      fox.open(site + "/#/compare?a=" + job + "&b=" + job);
      fox.awaitText("h2", "5 tasks with the same parameters");
      fox.open(site + "/#/planner");
      fox.click("button", "Find a plan");
      fox.awaitText("#run-title", "Run it");
      fox.click("button", "Run as a job");
      fox.awaitText(".page-head .chip", "done");
      fox.open(site + "/#/submit");
      fox.awaitText("h1", "Submit a job");
      fox.fill("textarea.code", "echo from firefox");
      fox.awaitText("[role=status]", "no mistakes");
      fox.click("button", "Submit");
      fox.awaitText(".page-head .chip", "done");
      assertThat(fox.complaints()).isEmpty();
      assertThat(world.calls().get("/api/v1/jobs?limit=1").at("/jobs/0/id").asLong())
          .isGreaterThan(job);
    }
  }
}
