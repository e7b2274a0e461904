package dev.imker.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.ImkerException;
import dev.imker.model.connection.JoinToken;
import dev.imker.model.http.Answer;
import dev.imker.model.http.HttpExchanges;
import dev.imker.model.text.SafeText;
import dev.imker.wire.lan.FoundPool;
import dev.imker.wire.lan.LanAddresses;
import dev.imker.wire.lan.LanSearch;
import dev.imker.wire.pairing.PairingException;
import dev.imker.wire.pairing.PairingSide;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Joins a pool of the local network by the code that its server shows. */
record LanJoin(BufferedReader in, PrintWriter out) {
  static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(20);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** The other side is not to be had, or refuses; the message says why. */
  private static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message);
    }
  }

  static LanJoin atTerminal(PrintWriter out) {
    return new LanJoin(
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)), out);
  }

  static List<FoundPool> search() {
    try {
      return LanSearch.pools(LanAddresses.all(), PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /** How people compare it: the beginning, in groups. */
  static String shown(FoundPool pool) {
    return "%s, %s, fingerprint %s"
        .formatted(
            pool.name(),
            pool.urls().getFirst(),
            pool.fingerprint().substring(0, 16).replaceAll("(.{4})(?!$)", "$1 "));
  }

  JoinToken ask() {
    say("Looking for pools on this network …");
    List<FoundPool> pools = search();
    if (pools.isEmpty()) {
      throw new ImkerException(
          "No pool announces itself on this network (a server started with --listen"
              + " 0.0.0.0 does). Use the join token printed by 'imker up': imker agent --join"
              + " TOKEN");
    }
    for (int i = 0; i < pools.size(); i++) {
      say("  %d  %s".formatted(i + 1, shown(pools.get(i))));
    }
    FoundPool pool = pools.size() == 1 ? pools.getFirst() : choose(pools);
    while (true) {
      String code = line("Pairing code (shown by 'imker up', the web page or 'imker join code'): ");
      try {
        return pair(pool, code);
      } catch (RefusedException e) {
        say("imker agent: " + e.getMessage());
      }
    }
  }

  private FoundPool choose(List<FoundPool> pools) {
    while (true) {
      String typed = line("Number of the pool: ").strip();
      if (typed.matches("[0-9]{1,2}")) {
        int number = Integer.parseInt(typed);
        if (number >= 1 && number <= pools.size()) {
          return pools.get(number - 1);
        }
      }
      say("imker agent: '%s' is not in the list.".formatted(SafeText.line(typed, 20)));
    }
  }

  private JoinToken pair(FoundPool pool, String code) throws RefusedException {
    if (!PairingSide.isCode(code)) {
      throw new RefusedException("A pairing code has eight digits, such as 1234-5678.");
    }
    try (HttpExchanges http = new HttpExchanges(pool.fingerprint(), null, ANSWER_PATIENCE)) {
      Optional<IOException> problem = Optional.empty();
      for (String url : pool.urls()) {
        try {
          return pair(http, url, PairingSide.ofAgent(code, pool.fingerprint()));
        } catch (IOException e) {
          problem = Optional.of(e);
        }
      }
      throw new RefusedException(
          "%s does not answer: %s".formatted(pool.urls(), problem.orElseThrow()));
    } catch (PairingException e) {
      throw new RefusedException(
          "The server that answered does not know the code, so it is not the pool that"
              + " issued it.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("Interrupted.", e);
    }
  }

  private JoinToken pair(HttpExchanges http, String url, PairingSide own)
      throws IOException, InterruptedException, RefusedException, PairingException {
    JsonNode begun = post(http, url + "/api/v1/pairing", Map.of("first", own.first()));
    String second = own.second(begun.path("first").asText());
    String proof = own.proof(begun.path("second").asText());
    String id = begun.path("id").asText();
    if (!id.matches("[0-9a-f-]{1,40}")) {
      throw new IOException("not an answer to a pairing");
    }
    JsonNode paired =
        post(http, url + "/api/v1/pairing/" + id, Map.of("second", second, "proof", proof));
    own.check(paired.path("proof").asText());
    return JoinToken.parse(own.unseal(paired.path("token").asText()));
  }

  private static JsonNode post(HttpExchanges http, String url, Map<String, String> fields)
      throws IOException, InterruptedException, RefusedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(JSON.writeValueAsString(fields)))
            .build();
    Answer answer = http.send(request, ANSWER_PATIENCE, _ -> "");
    JsonNode body = JSON.readTree(answer.body());
    if (answer.status() != 200) {
      throw new RefusedException(
          SafeText.line(body.path("error").path("message").asText("refused"), 300));
    }
    return body;
  }

  private String line(String prompt) {
    out.print(prompt);
    out.flush();
    try {
      String typed = in.readLine();
      if (typed == null) {
        throw new ImkerException(
            "No pool was chosen. Enter its pairing code here, or use the join token"
                + " printed by 'imker up': imker agent --join TOKEN");
      }
      return typed;
    } catch (IOException e) {
      throw new ImkerException("Cannot read the input: " + e.getMessage(), e);
    }
  }

  private void say(String text) {
    out.println(text);
    out.flush();
  }
}
