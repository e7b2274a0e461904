package dev.imker.agent.internal.host;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/** Requests of tasks to the pool, and their answers. */
final class Requests {
  /** The kinds of requests. */
  enum Kind {
    /** Key; the answer is the text, or nothing. */
    READ,
    /** Key and text. */
    WRITE,
    /** Calls to be made as tasks; the answer says that the server has them. */
    SPAWN,
    /** Kind, name and a map of fields; the answer is such a map. */
    COORDINATE,
    /** Name, and place in the host's folder; the answer is the name that it got, and its size. */
    SAVE
  }

  private final FrameChannel agent;
  private final AtomicLong last = new AtomicLong();
  private final Map<Long, CompletableFuture<byte[]>> waiting = new ConcurrentHashMap<>();

  Requests(FrameChannel agent) {
    this.agent = agent;
  }

  /**
   * Asks and waits for the answer.
   *
   * @throws IllegalStateException if the pool refuses
   */
  byte[] ask(long run, Kind kind, byte[] content) throws InterruptedException {
    try {
      return begin(run, kind, content).get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause() == null ? "" : e.getCause().getMessage(), e);
    }
  }

  /** Asks; the answer comes on the thread of the connection, which must not be held up. */
  CompletableFuture<byte[]> begin(long run, Kind kind, byte[] content) {
    long number = last.incrementAndGet();
    CompletableFuture<byte[]> answer = new CompletableFuture<>();
    waiting.put(number, answer);
    try {
      agent.send(
          FrameType.REQUEST,
          run,
          FrameChannel.content(
              out -> {
                out.writeLong(number);
                out.writeByte(kind.ordinal());
                FrameChannel.writeBytes(out, content);
              }));
    } catch (IOException e) {
      waiting.remove(number);
      answer.completeExceptionally(
          new IllegalStateException("The connection to the agent was lost.", e));
    }
    return answer;
  }

  void reply(DataInputStream in) throws IOException {
    CompletableFuture<byte[]> answer = waiting.remove(in.readLong());
    boolean granted = in.readBoolean();
    byte[] content = FrameChannel.readBytes(in);
    if (answer == null) {
      return;
    }
    if (granted) {
      answer.complete(content);
    } else {
      answer.completeExceptionally(
          new IllegalStateException(new String(content, StandardCharsets.UTF_8)));
    }
  }
}
