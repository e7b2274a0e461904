package dev.imker.agent.internal.host;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a host is to run.
 *
 * @param folder for files of the task
 * @param previousError of the attempt before, if it is known
 * @param checkpoints what calls of the task kept in earlier attempts, by their position
 * @param granted what tells the task how much it got; nothing for one that gets one core
 * @param cores where it is to run, a bit for each; none: where it likes
 */
record Work(
    String taskId,
    int attempt,
    String folder,
    String previousError,
    Map<Integer, byte[]> checkpoints,
    Map<String, String> granted,
    long[] cores,
    Body body) {
  sealed interface Body {
    /** Calls, as {@link dev.imker.tasks.values.CallTable} writes them. */
    record Calls(byte[] templates, byte[] entries, CallRules rules) implements Body {}

    /**
     * A task of a plan.
     *
     * @param arguments names of values by parameter
     * @param given values by name, encoded
     * @param state a table of what earlier tasks left, encoded like {@code given}
     * @param undo whether it is to be rolled back
     */
    record Action(
        String className, Map<String, String> arguments, byte[] given, byte[] state, boolean undo)
        implements Body {}
  }

  byte[] toBytes() {
    return FrameChannel.content(this::write);
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(taskId);
    out.writeInt(attempt);
    out.writeUTF(folder);
    out.writeUTF(previousError);
    out.writeInt(checkpoints.size());
    for (Map.Entry<Integer, byte[]> checkpoint : checkpoints.entrySet()) {
      out.writeInt(checkpoint.getKey());
      FrameChannel.writeBytes(out, checkpoint.getValue());
    }
    writeTexts(out, granted);
    out.writeInt(cores.length);
    for (long word : cores) {
      out.writeLong(word);
    }
    switch (body) {
      case Body.Calls calls -> {
        out.writeBoolean(true);
        FrameChannel.writeBytes(out, calls.templates);
        FrameChannel.writeBytes(out, calls.entries);
        calls.rules.write(out);
      }
      case Body.Action action -> {
        out.writeBoolean(false);
        out.writeUTF(action.className);
        writeTexts(out, action.arguments);
        FrameChannel.writeBytes(out, action.given);
        FrameChannel.writeBytes(out, action.state);
        out.writeBoolean(action.undo);
      }
    }
  }

  private static void writeTexts(DataOutputStream out, Map<String, String> texts)
      throws IOException {
    out.writeInt(texts.size());
    for (Map.Entry<String, String> text : texts.entrySet()) {
      out.writeUTF(text.getKey());
      out.writeUTF(text.getValue());
    }
  }

  private static Map<String, String> readTexts(DataInputStream in) throws IOException {
    int count = in.readInt();
    Map<String, String> texts = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      String name = in.readUTF();
      texts.put(name, in.readUTF());
    }
    return texts;
  }

  private static long[] readCores(DataInputStream in) throws IOException {
    long[] words = new long[in.readInt()];
    for (int i = 0; i < words.length; i++) {
      words[i] = in.readLong();
    }
    return words;
  }

  static Work read(DataInputStream in) throws IOException {
    String taskId = in.readUTF();
    int attempt = in.readInt();
    String folder = in.readUTF();
    String previousError = in.readUTF();
    return new Work(
        taskId,
        attempt,
        folder,
        previousError,
        readCheckpoints(in),
        readTexts(in),
        readCores(in),
        in.readBoolean()
            ? new Body.Calls(
                FrameChannel.readBytes(in), FrameChannel.readBytes(in), CallRules.read(in))
            : readAction(in));
  }

  private static Map<Integer, byte[]> readCheckpoints(DataInputStream in) throws IOException {
    int count = in.readInt();
    Map<Integer, byte[]> checkpoints = new HashMap<>();
    for (int i = 0; i < count; i++) {
      int call = in.readInt();
      checkpoints.put(call, FrameChannel.readBytes(in));
    }
    return checkpoints;
  }

  private static Body.Action readAction(DataInputStream in) throws IOException {
    String className = in.readUTF();
    return new Body.Action(
        className,
        readTexts(in),
        FrameChannel.readBytes(in),
        FrameChannel.readBytes(in),
        in.readBoolean());
  }
}
