package dev.imker.agent.internal.host;

import dev.imker.tasks.values.CallOutcome;
import dev.imker.tasks.values.Values;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** A request of a task to the pool. */
public final class HostRequest {
  private final Requests.Kind kind;
  private final byte[] content;
  private final Path folder;
  private final BiConsumer<Boolean, byte[]> answer;
  private final BiConsumer<Integer, byte[]> outcomes;

  /**
   * @param folder of the host
   * @param outcomes takes to the host what a sub-task came to
   */
  HostRequest(
      Requests.Kind kind,
      byte[] content,
      Path folder,
      BiConsumer<Boolean, byte[]> answer,
      BiConsumer<Integer, byte[]> outcomes) {
    this.kind = kind;
    this.content = content;
    this.folder = folder;
    this.answer = answer;
    this.outcomes = outcomes;
  }

  /** The parsed request. */
  public sealed interface Question {
    record Read(String key) implements Question {}

    record Write(String key, String text) implements Question {}

    /**
     * Calls, as {@link dev.imker.tasks.values.CallTable} writes them.
     *
     * @param first number of the first call in its run
     */
    record Spawn(int first, int count, byte[] templates, byte[] entries) implements Question {}

    /** Something of {@link dev.imker.tasks.coordination.Coordination}. */
    record Coordinate(String kind, String name, Map<String, Object> body) implements Question {}

    /**
     * A file that the task leaves.
     *
     * @param place of the file, below the folder of its host
     */
    record Save(String name, Path place, Path folder) implements Question {}
  }

  public Question question() throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
    return switch (kind) {
      case READ -> new Question.Read(in.readUTF());
      case WRITE ->
          new Question.Write(
              in.readUTF(), new String(FrameChannel.readBytes(in), StandardCharsets.UTF_8));
      case SPAWN ->
          new Question.Spawn(
              in.readInt(), in.readInt(), FrameChannel.readBytes(in), FrameChannel.readBytes(in));
      case COORDINATE ->
          new Question.Coordinate(in.readUTF(), in.readUTF(), map(FrameChannel.readBytes(in)));
      case SAVE -> new Question.Save(in.readUTF(), Path.of(in.readUTF()), folder);
    };
  }

  /** Only plain values: no class of the task's library is needed. */
  static Map<String, Object> map(byte[] encoded) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (Values.decode(encoded, ClassLoader.getPlatformClassLoader()) instanceof Map<?, ?> read) {
      read.forEach((name, value) -> map.put(String.valueOf(name), value));
    }
    return map;
  }

  public void grant(byte[] result) {
    answer.accept(true, result);
  }

  public void refuse(String reason) {
    answer.accept(false, reason.getBytes(StandardCharsets.UTF_8));
  }

  /** A sub-task came to this: a byte that says whether it is a value, and the value or failure. */
  public void outcome(int number, byte[] outcome) {
    outcomes.accept(number, outcome);
  }

  /** A sub-task has failed without anything that it could say of it itself. */
  public void failed(int number, String why) {
    outcome(number, CallOutcome.FAILURE.with(Values.encode(why, "failure")));
  }
}
