package dev.imker.agent.internal.cache;

import dev.imker.model.ImkerException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The blackboard of a project, for tasks that have no way of their own to the server. */
public final class BoardClient {
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(60);

  private final BlobClient connection;
  private final ServerAccess server;
  private final long patienceMillis;

  /**
   * @param patienceMillis how long to wait for a server that is away
   */
  public BoardClient(BlobClient connection, ServerAccess server, long patienceMillis) {
    this.connection = connection;
    this.server = server;
    this.patienceMillis = patienceMillis;
  }

  /**
   * @param tokens makes of the agent's token the one of the task
   * @throws ImkerException if the server refuses
   */
  public Optional<byte[]> read(String name, UnaryOperator<String> tokens)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> response = send(request(name, tokens).GET());
    if (response.statusCode() == 404) {
      return Optional.empty();
    }
    return Optional.of(checked(response));
  }

  public void write(String name, byte[] content, UnaryOperator<String> tokens)
      throws IOException, InterruptedException {
    var _ =
        checked(send(request(name, tokens).PUT(HttpRequest.BodyPublishers.ofByteArray(content))));
  }

  private HttpRequest.Builder request(String name, UnaryOperator<String> tokens)
      throws InterruptedException {
    ServerAccess.Access access = server.await(patienceMillis);
    String path = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    URI uri = access.base().resolve("/api/v1/board/" + path);
    return HttpRequest.newBuilder(uri)
        .timeout(ANSWER_PATIENCE)
        .header("Authorization", "Bearer " + tokens.apply(access.token()));
  }

  private HttpResponse<byte[]> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return connection.http().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
  }

  private static byte[] checked(HttpResponse<byte[]> response) {
    if (response.statusCode() / 100 != 2) {
      throw new ImkerException(
          "The blackboard refused it: " + new String(response.body(), StandardCharsets.UTF_8));
    }
    return response.body();
  }
}
