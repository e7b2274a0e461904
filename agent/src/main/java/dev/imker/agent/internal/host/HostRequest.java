package dev.imker.agent.internal.host;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/** Something a task asks of the pool. */
public final class HostRequest {
  private final Requests.Kind kind;
  private final byte[] content;
  private final BiConsumer<Boolean, byte[]> answer;

  HostRequest(Requests.Kind kind, byte[] content, BiConsumer<Boolean, byte[]> answer) {
    this.kind = kind;
    this.content = content;
    this.answer = answer;
  }

  /** What is asked for, in a form to decide by. */
  public sealed interface Question {
    record Read(String key) implements Question {}

    record Write(String key, String text) implements Question {}

    record Spawn(byte[] templates, byte[] entries) implements Question {}

    record Join(byte[] ticket) implements Question {}
  }

  public Question question() throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
    return switch (kind) {
      case READ -> new Question.Read(in.readUTF());
      case WRITE ->
          new Question.Write(
              in.readUTF(), new String(FrameChannel.readBytes(in), StandardCharsets.UTF_8));
      case SPAWN -> new Question.Spawn(FrameChannel.readBytes(in), FrameChannel.readBytes(in));
      case JOIN -> new Question.Join(content);
    };
  }

  public void grant(byte[] result) {
    answer.accept(true, result);
  }

  public void refuse(String reason) {
    answer.accept(false, reason.getBytes(StandardCharsets.UTF_8));
  }
}
