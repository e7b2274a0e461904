package dev.imker.pagetest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/** The REST interface, to prepare what the page is to show. */
final class PoolCalls {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final HttpClient client = HttpClient.newHttpClient();
  private final URI address;
  private final String token;

  PoolCalls(URI address, String token) {
    this.address = address;
    this.token = token;
  }

  JsonNode get(String path) {
    return send(request(path).GET());
  }

  JsonNode post(String path, Object body) {
    try {
      return send(request(path).POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonNode put(String path, Object body) {
    try {
      return send(request(path).PUT(BodyPublishers.ofString(JSON.writeValueAsString(body))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Submits a job file; the number of its job. */
  long submit(String yaml) {
    return post("/api/v1/jobfiles", Map.of("text", yaml)).at("/jobs/0/id").asLong();
  }

  /** Submits a job as a Java program does: jobs whose keys differ in their ends are one's. */
  long submitOfProgram(String session, String key, String name) {
    String body = "{\"name\":\"%s\",\"command\":[\"true\"]}".formatted(name);
    return send(request("/api/v1/jobs?session=" + session)
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body)))
        .get("id")
        .asLong();
  }

  /** The same, and waits until it is finished. */
  long finished(String yaml) {
    long job = submit(yaml);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> !get("/api/v1/jobs/" + job).get("settled").isNull());
    return job;
  }

  void cancel(long job) {
    post("/api/v1/jobs/" + job + "/cancel", Map.of());
  }

  int jobsNamed(String name) {
    return get("/api/v1/jobs?name=" + name).get("jobs").size();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(address.resolve(path))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json");
  }

  private JsonNode send(HttpRequest.Builder request) {
    try {
      HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
      return JSON.readTree(answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
