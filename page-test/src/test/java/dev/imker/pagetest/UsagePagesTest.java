package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What tasks and machines use over time. */
@ExtendWith(InBrowser.class)
class UsagePagesTest {
  private static Locator figure(Page page, String title) {
    return page.locator("imker-usage figure").filter(new Locator.FilterOptions().setHasText(title));
  }

  @Test
  void a_task_shows_what_it_uses_while_it_runs_and_afterwards(Visit visit) {
    PoolCalls calls = visit.world().calls();
    long job = calls.submit("imker: 1\nname: busy\ncommand: while :; do :; done\n");
    visit.open("job/" + job + "?task=1", "busy #" + job);
    Locator cores = figure(visit.page(), "Cores in use");
    assertThat(cores).containsText("now");
    assertThat(cores.locator("imker-plot[data-drawn]")).isVisible();
    assertThat(figure(visit.page(), "Memory")).isVisible();
    calls.cancel(job);
    assertThat(cores).containsText("at the end");
    assertThat(visit.complaints()).isEmpty();
  }

  @Test
  void a_machine_shows_what_everything_on_it_uses(Visit visit) {
    visit.open("nodes", "Nodes");
    visit.page().locator("tbody a").first().click();
    assertThat(visit.page().getByText("Use over the last day")).isVisible();
    assertThat(figure(visit.page(), "Memory").locator("imker-plot[data-drawn]")).isVisible();
    assertThat(figure(visit.page(), "Disk")).isVisible();
    visit.wholePicture("node");
  }
}
