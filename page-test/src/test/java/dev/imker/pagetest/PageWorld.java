package dev.imker.pagetest;

import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.imker.agent.AgentSettings;
import dev.imker.agent.Offer;
import dev.imker.agent.RunningAgent;
import dev.imker.agent.start.ImkerAgent;
import dev.imker.model.connection.JoinToken;
import dev.imker.server.ImkerServer;
import dev.imker.server.RunningServer;
import dev.imker.server.ServerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One pool with two agents and one browser, for all tests of the page. */
final class PageWorld implements AutoCloseable {
  static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  static final double PATIENCE_MILLIS = 60_000;
  private static final int SLOTS = 2;

  private final Path folder;
  private final RunningServer server;
  private final List<RunningAgent> agents = new ArrayList<>();
  private final Playwright playwright;
  private final Browser browser;
  private final PoolCalls calls;
  private final String loggedIn;

  PageWorld() {
    try {
      folder = Files.createTempDirectory("imker-page-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server =
        ImkerServer.start(
            ServerSettings.of(folder.resolve("server"))
                .withPort(0)
                .withPoolName("apiary")
                .withSignOfLifeMillis(500));
    calls = new PoolCalls(server.address(), server.adminToken());
    Path policy = folder.resolve("policy.yaml");
    try {
      Files.writeString(policy, "sandbox: off\nuser: same\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (String name : List.of("bee-1", "bee-2")) {
      agents.add(
          ImkerAgent.start(
              AgentSettings.of(joinToken(), folder.resolve("bees")) // one machine
                  .withName(name)
                  .withPolicy(policy)
                  .withSlots(SLOTS)
                  .withOffer(Offer.ALL.withCores(2 * SLOTS))
                  .withLowestPriority(false)));
    }
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(CHROMIUM)
                    .setTimeout(PATIENCE_MILLIS)
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync",
                            "--no-first-run")));
    loggedIn = logIn();
  }

  private String logIn() {
    try (BrowserContext context = browser.newContext()) {
      context.setDefaultTimeout(PATIENCE_MILLIS);
      context.newPage().navigate(server.loginLink());
      return context.storageState();
    }
  }

  RunningServer server() {
    return server;
  }

  PoolCalls calls() {
    return calls;
  }

  JoinToken joinToken() {
    return JoinToken.parse(server.joinToken());
  }

  Path folder() {
    return folder;
  }

  /** A browser window of somebody who is logged in as the admin. */
  BrowserContext window(Browser.NewContextOptions options) {
    return stranger(options.setStorageState(loggedIn));
  }

  /** A browser window of somebody who is not logged in. */
  BrowserContext stranger(Browser.NewContextOptions options) {
    BrowserContext context = browser.newContext(options.setBaseURL(server.address().toString()));
    context.setDefaultTimeout(PATIENCE_MILLIS);
    return context;
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
    agents.forEach(RunningAgent::close);
    server.close();
    // What ends at this moment may still write, or tidy up behind itself.
    await().ignoreExceptions().until(this::isDeleted);
  }

  private boolean isDeleted() throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
    return !Files.exists(folder);
  }
}
