package dev.imker.pagetest;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Firefox as Debian has it, which Playwright cannot steer; it is told what to do by WebDriver
 * BiDi, of which this has the little that the tests need.
 */
final class Firefox implements AutoCloseable {
  static final Path PROGRAM = Path.of("/usr/bin/firefox-esr");
  private static final Pattern LISTENS = Pattern.compile("WebDriver BiDi listening on (ws://\\S+)");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final WebSocket socket;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final String context;

  Firefox(Path folder) {
    try {
      Path profile = Files.createDirectories(folder);
      process =
          new ProcessBuilder(
                  PROGRAM.toString(),
                  "--headless",
                  "--no-remote",
                  "--profile",
                  profile.toString(),
                  "--remote-debugging-port=0",
                  "about:blank")
              .redirectErrorStream(true)
              .start();
      socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .buildAsync(URI.create(address() + "/session"), new Ear())
              .join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    send("session.new", Map.of("capabilities", Map.of()));
    send("session.subscribe", Map.of("events", List.of("log.entryAdded")));
    context = send("browsingContext.getTree", Map.of()).at("/result/contexts/0/context").asText();
  }

  /** What it writes is read to its end, so that it never waits for a reader. */
  private String address() throws IOException {
    BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher matcher = LISTENS.matcher(line);
      if (matcher.find()) {
        Thread.ofVirtual().start(() -> lines.lines().forEach(_ -> {}));
        return matcher.group(1);
      }
    }
    throw new IOException("Firefox ended without saying where it listens.");
  }

  /** Hears answers and what the console says. */
  private final class Ear implements WebSocket.Listener {
    private final StringBuilder message = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      message.append(data);
      if (last) {
        hear(message.toString());
        message.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedFuture(null);
    }

    private void hear(String text) {
      try {
        JsonNode node = JSON.readTree(text);
        if (node.has("id") && !node.get("id").isNull()) {
          CompletableFuture<JsonNode> answer = waiting.remove(node.get("id").asLong());
          if (answer != null) {
            answer.complete(node);
          }
        } else if (node.at("/params/level").asText().equals("error")) {
          complaints.add(node.at("/params/text").asText());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private JsonNode send(String method, Map<String, ?> params) {
    long number = numbers.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    ObjectNode command = JSON.createObjectNode().put("id", number).put("method", method);
    command.set("params", JSON.valueToTree(params));
    socket.sendText(command.toString(), true).join();
    JsonNode found = answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    if (found.path("type").asText().equals("error")) {
      throw new AssertionError(method + ": " + found);
    }
    return found;
  }

  void open(String url) {
    send("browsingContext.navigate", Map.of("context", context, "url", url, "wait", "complete"));
  }

  /** The value of an expression of JavaScript: a text, a number or a truth value. */
  JsonNode value(String expression) {
    JsonNode answer =
        send(
            "script.evaluate",
            Map.of(
                "expression",
                expression,
                "target",
                Map.of("context", context),
                "awaitPromise",
                true));
    return answer.at("/result/result/value");
  }

  void awaitText(String selector, String text) {
    awaitTrue(
        "[...document.querySelectorAll(%s)].some((one) => one.textContent.includes(%s))"
            .formatted(quoted(selector), quoted(text)));
  }

  void awaitTrue(String expression) {
    await(expression).atMost(PATIENCE).until(() -> value(expression).asBoolean());
  }

  /** Clicks on what has this text, when it is there and can be clicked. */
  void click(String selector, String text) {
    String found =
        "[...document.querySelectorAll(%s)].find((one) => one.textContent.trim() === %s && !one.disabled)"
            .formatted(quoted(selector), quoted(text));
    awaitTrue("Boolean(" + found + ")");
    value(found + ".click()");
  }

  /** Writes into a field as if somebody had typed it. */
  void fill(String selector, String text) {
    value(
        """
        (() => { const field = document.querySelector(%s); field.value = %s;
          field.dispatchEvent(new Event("input", { bubbles: true })); })()
        """
            .formatted(quoted(selector), quoted(text)));
  }

  private static String quoted(String text) {
    return JSON.valueToTree(text).toString();
  }

  /** Errors that the browser wrote into its console. */
  List<String> complaints() {
    return complaints;
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
  }
}
