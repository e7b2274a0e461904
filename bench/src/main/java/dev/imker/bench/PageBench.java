package dev.imker.bench;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import dev.imker.server.ImkerServer;
import dev.imker.server.RunningServer;
import dev.imker.server.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The web page in Chromium: what is transferred until every page has been looked at, and how long a
 * fresh browser takes from the address to a page that can be used.
 */
final class PageBench {
  private static final List<String> PAGES =
      List.of("overview", "jobs", "submit", "nodes", "planner", "simulator", "charts", "admin");
  private static final int ROUNDS = 9;
  private static final int WARM_UP = 2;
  private static final String BYTES =
      "performance.getEntriesByType('resource').filter(e => e.name.includes('/page/'))"
          + ".concat(performance.getEntriesByType('navigation'))"
          + ".reduce((sum, e) => sum + e.encodedBodySize, 0)";

  private PageBench() {}

  static void run(String... args) throws Exception {
    Path folder = Files.createTempDirectory("imker-bench-page-");
    ServerSettings settings = ServerSettings.of(folder).withPort(0);
    try (RunningServer server = ImkerServer.start(settings);
        Playwright playwright =
            Playwright.create(
                new Playwright.CreateOptions()
                    .setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        Browser browser =
            playwright
                .chromium()
                .launch(
                    new BrowserType.LaunchOptions()
                        .setExecutablePath(Path.of("/usr/bin/chromium"))
                        .setArgs(List.of("--no-sandbox", "--disable-gpu", "--no-first-run")))) {
      String state = logIn(browser, server);
      weight(browser, server, state);
      for (String page : List.of("overview", "jobs")) {
        time(browser, server, state, page);
      }
    }
  }

  private static String logIn(Browser browser, RunningServer server) {
    try (BrowserContext context = browser.newContext()) {
      context.newPage().navigate(server.loginLink());
      return context.storageState();
    }
  }

  private static BrowserContext fresh(Browser browser, RunningServer server, String state) {
    return browser.newContext(
        new Browser.NewContextOptions()
            .setStorageState(state)
            .setBaseURL(server.address().toString()));
  }

  private static void weight(Browser browser, RunningServer server, String state) {
    try (BrowserContext context = fresh(browser, server, state)) {
      Page page = context.newPage();
      for (String name : PAGES) {
        page.navigate("/#/" + name);
        page.waitForSelector("main h1, main .empty h2");
        page.waitForLoadState();
        Number bytes = (Number) page.evaluate(BYTES);
        System.out.printf("%-10s %,9d bytes so far%n", name, bytes.longValue());
      }
    }
  }

  private static void time(Browser browser, RunningServer server, String state, String name) {
    double[] millis = new double[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++) {
      try (BrowserContext context = fresh(browser, server, state)) {
        Page page = context.newPage();
        page.navigate("/#/" + name);
        page.waitForSelector("main h1");
        double now = ((Number) page.evaluate("performance.now()")).doubleValue();
        if (i >= 0) {
          millis[i] = now;
        }
      }
    }
    Arrays.sort(millis);
    System.out.printf(
        "%s usable after %.0f ms (median of %d, longest %.0f ms), nothing in the cache%n",
        name, millis[ROUNDS / 2], ROUNDS, millis[ROUNDS - 1]);
  }
}
