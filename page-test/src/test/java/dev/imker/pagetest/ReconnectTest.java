package dev.imker.pagetest;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import dev.imker.server.ImkerServer;
import dev.imker.server.RunningServer;
import dev.imker.server.ServerSettings;
import java.nio.file.Path;
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
      first.close();
      assertThat(page.getByText("reconnecting…")).isVisible();
      try (RunningServer second = ImkerServer.start(settings.withPort(port))) {
        new PoolCalls(second.address(), second.adminToken())
            .submit("imker: 1\nname: after-the-fire\ncommand: echo\n");
        assertThat(visit.link("after-the-fire")).isVisible();
        assertThat(page.locator(".connection.live")).isVisible();
      }
    } finally {
      first.close();
    }
  }
}
