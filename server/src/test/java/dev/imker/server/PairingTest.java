package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.connection.JoinToken;
import dev.imker.model.connection.PinnedCertificate;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.lan.LanAddresses;
import dev.imker.wire.pairing.PairingSide;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@ExpectedLogs({"certificate authority", "Refused agent .* which have joined"})
class PairingTest {
  @TempDir Path folder;

  @Test
  void a_code_becomes_a_token_for_one_agent() throws Exception {
    try (TestServer server = TestServer.start(TestServer.settings(folder).withTls())) {
      RunningServer running = server.running();
      String fingerprint = JoinToken.parse(running.joinToken()).fingerprint();
      HttpClient http =
          HttpClient.newBuilder().sslContext(PinnedCertificate.context(fingerprint)).build();
      HttpResponse<String> code =
          post(http, running, "/api/v1/joins/code", running.adminToken(), Map.of());
      assertThat(code.statusCode()).isEqualTo(201);

      PairingSide agent =
          PairingSide.ofAgent(Rest.JSON.readTree(code.body()).get("code").asText(), fingerprint);
      JsonNode begun = answer(http, running, "/api/v1/pairing", Map.of("first", agent.first()));
      String second = agent.second(begun.get("first").asText());
      String proof = agent.proof(begun.get("second").asText());
      JsonNode paired =
          answer(
              http,
              running,
              "/api/v1/pairing/" + begun.get("id").asText(),
              Map.of("second", second, "proof", proof));
      agent.check(paired.get("proof").asText());
      String token = agent.unseal(paired.get("token").asText());
      assertThat(JoinToken.parse(token).fingerprint()).isEqualTo(fingerprint);
      try (TestAgent first = TestAgent.connect(token, "first", 1)) {
        first.nextWelcome();
        try (TestAgent another = TestAgent.connect(token, "another", 1)) {
          assertThat(another.nextRefused().getReason()).contains("paired-", "1 agents");
        }
      }
    }
  }

  @Test
  void without_a_certificate_there_is_no_code() {
    try (TestServer server = TestServer.start(folder)) {
      Rest.Reply reply = server.admin().post("/api/v1/joins/code", "{}");
      assertThat(reply.status()).isEqualTo(409);
      assertThat(reply.errorMessage()).contains("imker join");
    }
  }

  @Test
  void a_server_on_loopback_is_never_announced() {
    ServerSettings settings = TestServer.settings(folder).withTls().withAnnounced(true);
    try (TestServer server = TestServer.start(settings)) {
      assertThat(server.running().pairingCode()).isEmpty();
    }
    assertThat(LanAddresses.of("127.0.0.1")).isEmpty();
    assertThat(LanAddresses.of("localhost")).isEmpty();
    assertThat(LanAddresses.of("::1")).isEmpty();
  }

  private static JsonNode answer(
      HttpClient http, RunningServer server, String path, Map<String, String> body)
      throws Exception {
    HttpResponse<String> answer = post(http, server, path, "", body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Rest.JSON.readTree(answer.body());
  }

  private static HttpResponse<String> post(
      HttpClient http, RunningServer server, String path, String token, Map<String, String> body)
      throws Exception {
    URI url = server.address().resolve(path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(Rest.JSON.writeValueAsString(body)));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    return http.send(request.build(), BodyHandlers.ofString());
  }
}
