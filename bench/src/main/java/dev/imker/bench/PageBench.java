package dev.imker.bench;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import dev.imker.bench.agents.SwarmProcess;
import dev.imker.bench.pool.LargePool;
import dev.imker.bench.pool.NoopJobs;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import dev.imker.client.context.PoolContext;
import dev.imker.server.ImkerServer;
import dev.imker.server.RunningServer;
import dev.imker.server.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The web page in Chromium: what is transferred until every page has been looked at, and how long a
 * fresh browser takes from the address to a page that can be used; of an empty pool, of one with
 * many nodes and a large job, and of one whose nodes are connected and work.
 */
final class PageBench {
  private static final List<String> PAGES =
      List.of(
          "overview",
          "jobs",
          "submit",
          "nodes",
          "planner",
          "simulator",
          "charts",
          "admin",
          "api",
          "compare");
  private static final List<String> TABS =
      List.of("tasks", "graph", "timeline", "results", "metrics", "history", "definition");
  private static final int ROUNDS = 9;
  private static final int WARM_UP = 2;
  private static final long ARRIVAL_PAUSE_MILLIS = 100;

  /** So many times more tasks are there to be done while pages are looked at. */
  private static final int RUNNING_FACTOR = 4;

  private static final String BYTES =
      "performance.getEntriesByType('resource').filter(e => e.name.includes('/page/'))"
          + ".concat(performance.getEntriesByType('navigation'))"
          + ".reduce((sum, e) => sum + e.transferSize, 0)";
  private static final String DATA_BYTES =
      "performance.getEntriesByType('resource').filter(e => e.name.includes('/api/'))"
          + ".reduce((sum, e) => sum + e.encodedBodySize, 0)";

  /** Throughput, queue and resources, drawn. */
  private static final String ALL_PLOTS = ":nth-match(main imker-plot[data-drawn], 3)";

  private final Browser browser;
  private final RunningServer server;
  private final String state;

  private PageBench(Browser browser, RunningServer server) {
    this.browser = browser;
    this.server = server;
    this.state = logIn();
  }

  static void run(String... args) throws Exception {
    int nodes = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
    int tasks = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
    try (Playwright playwright =
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
      empty(browser);
      large(browser, nodes, tasks);
      live(browser, nodes, tasks);
    }
  }

  private static void empty(Browser browser) throws Exception {
    Path folder = Files.createTempDirectory("imker-bench-page-");
    try (RunningServer server = ImkerServer.start(ServerSettings.of(folder).withPort(0))) {
      PageBench bench = new PageBench(browser, server);
      bench.time("overview", ALL_PLOTS);
      bench.time("jobs", "main h2");
    }
  }

  private static void large(Browser browser, int nodes, int tasks) throws Exception {
    Path folder = Files.createTempDirectory("imker-bench-page-");
    LargePool.fill(folder, nodes);
    try (RunningServer server = ImkerServer.start(ServerSettings.of(folder).withPort(0))) {
      long job = LargePool.submit(server, tasks);
      System.out.printf("with %,d nodes and a job of %,d tasks:%n", nodes, tasks);
      PageBench bench = new PageBench(browser, server);
      bench.time("overview", ALL_PLOTS);
      bench.time("jobs", "main tbody tr");
      bench.time("job/" + job, "imker-tasks tbody tr");
      bench.time("job/" + job + "?order=-duration", "imker-tasks tbody tr");
      bench.time("job/" + job + "?tab=graph", ".graph .node");
      bench.time("nodes", "main tbody tr");
      bench.time("nodes", ALL_PLOTS);
      bench.time("nodes?sort=-reliability&page=50", "main tbody tr");
      bench.time("node/" + LargePool.nodeId(nodes / 2), "main imker-plot[data-drawn]");
      bench.time("admin?tab=agents", "imker-agents tbody tr");
    }
  }

  /**
   * All nodes are connected; one job is finished, of another one tasks end while it is looked at.
   */
  private static void live(Browser browser, int nodes, int tasks) throws Exception {
    Path folder = Files.createTempDirectory("imker-bench-page-");
    try (RunningServer server = ImkerServer.start(ServerSettings.of(folder).withPort(0));
        SwarmProcess _ = SwarmProcess.start(server.joinToken(), nodes);
        ApiClient api = new ApiClient(new PoolContext(server.address(), server.adminToken(), ""))) {
      while (connected(api) < nodes) {
        TimeUnit.MILLISECONDS.sleep(ARRIVAL_PAUSE_MILLIS);
      }
      long finished = NoopJobs.submit(api, "finished", tasks);
      new JobWatch(api, _ -> {}).untilSettled(finished, _ -> {});
      long running = NoopJobs.submit(api, "running", RUNNING_FACTOR * tasks);
      System.out.printf(
          "with %,d connected nodes, %,d finished tasks and a job whose tasks are being done:%n",
          nodes, tasks);
      PageBench bench = new PageBench(browser, server);
      bench.time("overview", ALL_PLOTS);
      bench.time("jobs", "main tbody tr");
      bench.time("job/" + running, "imker-tasks tbody tr");
      bench.time("job/" + finished, "imker-tasks tbody tr");
      bench.time("job/" + finished + "?tab=timeline", "imker-timeline imker-plot[data-drawn]");
      bench.time("nodes", "main tbody tr");
      bench.time("nodes", ALL_PLOTS);
      bench.time("nodes?sort=-reliability&page=50", "main tbody tr");
      bench.weight(running);
      System.out.printf(
          "%,d tasks of the second job were done meanwhile%n",
          api.get("/api/v1/jobs/" + running).at("/counts/done").asLong());
    }
  }

  private static int connected(ApiClient api) {
    return api.get("/api/v1/figures/nodes?limit=1").at("/all/connected").asInt();
  }

  private String logIn() {
    try (BrowserContext context = browser.newContext()) {
      context.newPage().navigate(server.loginLink());
      return context.storageState();
    }
  }

  private BrowserContext fresh() {
    return browser.newContext(
        new Browser.NewContextOptions()
            .setStorageState(state)
            .setBaseURL(server.address().toString()));
  }

  /** What all pages take, one after the other: documents, scripts and styles, with their heads. */
  private void weight(long job) {
    List<String> all = new ArrayList<>(PAGES);
    TABS.forEach(tab -> all.add("job/" + job + "?tab=" + tab));
    try (BrowserContext context = fresh()) {
      context.addInitScript("performance.setResourceTimingBufferSize(10000)");
      Page page = context.newPage();
      for (String name : all) {
        page.navigate("/#/" + name);
        page.waitForSelector("main h1, main .empty h2");
        page.waitForFunction("!document.querySelector('main .loading')");
        Number bytes = (Number) page.evaluate(BYTES);
        System.out.printf("%-34s %,9d bytes transferred so far%n", name, bytes.longValue());
      }
    }
  }

  /** Until what the person came for is there. */
  private void time(String name, String awaited) {
    double[] millis = new double[ROUNDS];
    long data = 0;
    for (int i = -WARM_UP; i < ROUNDS; i++) {
      try (BrowserContext context = fresh()) {
        Page page = context.newPage();
        page.navigate("/#/" + name);
        page.waitForSelector(awaited);
        double now = ((Number) page.evaluate("performance.now()")).doubleValue();
        data = ((Number) page.evaluate(DATA_BYTES)).longValue();
        if (i >= 0) {
          millis[i] = now;
        }
      }
    }
    Arrays.sort(millis);
    System.out.printf(
        "%-34s %s after %.0f ms (median of %d, longest %.0f ms), nothing in the cache; %,d bytes of"
            + " data%n",
        name,
        awaited.equals(ALL_PLOTS) ? "drawn" : "usable",
        millis[ROUNDS / 2],
        ROUNDS,
        millis[ROUNDS - 1],
        data);
  }
}
