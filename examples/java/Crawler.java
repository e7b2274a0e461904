import dev.imker.client.Imker;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.tasks.Spawned;
import dev.imker.tasks.TaskContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows all links of a site, with a task per page: what no plan made beforehand can do. One task
 * keeps the list of pages and spawns the others; while it waits for them it needs no slot.
 *
 * <pre>
 * javac -cp CLIENT -d classes examples/java/Crawler.java
 * java -cp CLIENT:classes Crawler http://localhost:8000/
 * </pre>
 */
public final class Crawler {
  private static final Pattern LINK = Pattern.compile("href=\"([^\"#]+)");
  private static final HttpClient WEB = HttpClient.newHttpClient();

  private Crawler() {}

  /** What a page links to, on the same site. A task of its own. */
  static List<String> links(String page) throws Exception {
    URI here = URI.create(page);
    HttpResponse<String> answer =
        WEB.send(HttpRequest.newBuilder(here).build(), HttpResponse.BodyHandlers.ofString());
    List<String> links = new ArrayList<>();
    Matcher matcher = LINK.matcher(answer.body());
    while (matcher.find()) {
      URI link = here.resolve(matcher.group(1));
      if (here.getAuthority().equals(link.getAuthority())) {
        links.add(link.toString());
      }
    }
    return links;
  }

  /** All pages that can be reached from a first one. */
  static int crawl(String first) throws Exception {
    TaskContext task = TaskContext.current();
    Set<String> seen = new HashSet<>(Set.of(first));
    Deque<Spawned<List<String>>> open = new ArrayDeque<>();
    open.add(task.spawn(() -> links(first)));
    while (!open.isEmpty()) {
      for (String link : open.poll().join()) {
        if (seen.add(link)) {
          open.add(task.spawn(() -> links(link)));
        }
      }
      task.progress(0, seen.size() + " pages, " + open.size() + " to be read");
    }
    return seen.size();
  }

  /** Crawls a site in a pool. */
  public static int crawl(Imker imker, String first) throws Exception {
    ExecutorOptions options = ExecutorOptions.USUAL.withName("crawler").withNetwork(true);
    try (ImkerExecutor pool = imker.executor(options)) {
      return pool.submit(() -> crawl(first)).get();
    }
  }

  public static void main(String[] arguments) throws Exception {
    try (Imker imker = Imker.connect()) {
      System.out.println(crawl(imker, arguments[0]) + " pages");
    }
  }
}
