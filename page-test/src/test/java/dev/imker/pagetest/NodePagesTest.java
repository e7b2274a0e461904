package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InBrowser.class)
class NodePagesTest {
  private static Locator agentRow(Visit visit, String name) {
    return visit
        .page()
        .getByRole(AriaRole.ROW)
        .filter(new Locator.FilterOptions().setHasText(name))
        .first();
  }

  @Test
  void nodes_are_listed_with_their_figures(Visit visit) {
    visit.open("nodes", "Nodes");
    Page page = visit.page();
    assertThat(page.locator("tbody tr")).hasCount(1);
    assertThat(page.locator("imker-plot[data-drawn]")).hasCount(3);
    visit.button("Logarithmic").click();
    assertThat(visit.barriers()).isEmpty();
    visit.wholePicture("nodes");
    page.locator("tbody a").first().click();
    assertThat(page.getByText("What the scheduler thinks")).isVisible();
    assertThat(page.locator("imker-plot[data-drawn]")).hasCount(2);
    assertThat(visit.barriers()).isEmpty();
    visit.wholePicture("node");
  }

  @Test
  void an_agent_that_is_killed_is_seen_to_be_away(Visit visit) {
    visit.open("admin?tab=agents", "Admin");
    try (AgentProcess _ = AgentProcess.start(visit.world(), "victim")) {
      assertThat(agentRow(visit, "victim").locator(".chip.connected")).isVisible();
    }
    assertThat(agentRow(visit, "victim").locator(".chip.away")).isVisible();
  }

  @Test
  void an_agent_is_drained_and_gets_work_again(Visit visit) {
    visit.open("admin?tab=agents", "Admin");
    visit.button("Drain bee-2").click();
    assertThat(agentRow(visit, "bee-2").locator(".chip.draining")).isVisible();
    visit.picture("admin-agents");
    visit.button("Give work again to bee-2").click();
    assertThat(agentRow(visit, "bee-2").locator(".chip.connected")).isVisible();
  }
}
