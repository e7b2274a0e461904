package dev.imker.agent.internal.home;

import dev.imker.agent.internal.cache.BoardClient;
import dev.imker.agent.internal.host.HostRequest;
import dev.imker.agent.internal.host.HostRequest.Question;
import dev.imker.model.Lease;
import dev.imker.tasks.values.Values;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads and writes the blackboard for Java tasks, and lets them wait for each other, each with the
 * rights of its own lease.
 */
public record Boards(BoardClient client) {
  /** A pending request to the server. */
  private interface Errand {
    byte[] run() throws IOException, InterruptedException;
  }

  /** The answer is empty if there is nothing; otherwise the text follows a byte. */
  public void read(Lease lease, Question.Read read, HostRequest request) {
    begin(
        request,
        () -> {
          Optional<byte[]> found =
              client.read(read.key(), agentToken -> TaskAccess.token(lease, agentToken));
          return found.map(Boards::behindByte).orElse(new byte[0]);
        });
  }

  private static byte[] behindByte(byte[] text) {
    byte[] answer = new byte[text.length + 1];
    System.arraycopy(text, 0, answer, 1, text.length);
    return answer;
  }

  public void write(Lease lease, Question.Write write, HostRequest request) {
    begin(
        request,
        () -> {
          client.write(
              write.key(),
              write.text().getBytes(StandardCharsets.UTF_8),
              agentToken -> TaskAccess.token(lease, agentToken));
          return new byte[0];
        });
  }

  /** The answer is a map of the fields that the server answers with. */
  public void coordinate(
      Lease lease, String scope, Question.Coordinate question, HostRequest request) {
    Map<String, Object> body = new LinkedHashMap<>(question.body());
    if (!scope.isEmpty()) {
      body.put("scope", scope);
    }
    begin(
        request,
        () ->
            Values.encode(
                client.coordinate(
                    question.kind(),
                    question.name(),
                    body,
                    agentToken -> TaskAccess.token(lease, agentToken)),
                "The answer"));
  }

  private static void begin(HostRequest request, Errand errand) {
    Thread.ofVirtual()
        .name("imker-board")
        .start(
            () -> {
              try {
                request.grant(errand.run());
              } catch (IOException | RuntimeException e) {
                request.refuse(String.valueOf(e.getMessage()));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }
}
