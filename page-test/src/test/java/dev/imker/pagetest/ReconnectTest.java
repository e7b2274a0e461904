package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.imker.server.ImkerServer;
import dev.imker.server.RunningServer;
import dev.imker.server.ServerSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A page that stays open while its server goes and comes back. */
@ExtendWith(InBrowser.class)
class ReconnectTest {
  @Test
  void the_page_comes_back_with_its_server(PageWorld world, @TempDir Path folder) {
    ServerSettings settings = ServerSettings.of(folder).withPort(0).withPoolName("phoenix");
    RunningServer first = ImkerServer.start(settings);
    int port = first.port();
    try (Visit visit = Visit.ofStranger(world)) {
      Page page = visit.page();
      page.navigate(first.loginLink());
      assertThat(visit.heading("phoenix")).isVisible();
      page.navigate(first.address() + "/#/jobs");
      assertThat(page.getByText("No jobs yet")).isVisible();
      Page other = page.context().newPage();
      other.navigate(first.address() + "/#/overview");
      assertThat(other.locator("imker-plot[data-drawn]")).hasCount(3);
      first.close();
      assertThat(page.getByText("reconnecting…")).isVisible();
      other.evaluate("location.hash = '#/simulator'");
      assertThat(other.getByText("The server does not answer. Is it running?")).isVisible();
      try (RunningServer second = ImkerServer.start(settings.withPort(port))) {
        new PoolCalls(second.address(), second.adminToken())
            .submit("imker: 1\nname: after-the-fire\ncommand: echo\n");
        assertThat(visit.link("after-the-fire")).isVisible();
        assertThat(page.locator(".connection.live")).isVisible();
        assertThat(other.getByText("Strategies to compare")).isVisible();
      }
    } finally {
      first.close();
    }
  }

  @Test
  void an_answer_that_takes_long_is_waited_for_in_words(Visit visit) {
    Page page = visit.page();
    List<Route> held = new ArrayList<>();
    visit.open("overview", "apiary");
    assertThat(page.locator(".connection.live")).isVisible();
    page.route("**/api/v1/jobs?*", held::add);
    page.evaluate("location.hash = '#/jobs'");
    assertThat(page.getByText("waiting…")).isVisible();
    held.forEach(Route::resume);
    assertThat(page.locator(".connection.live")).isVisible();
  }
}
