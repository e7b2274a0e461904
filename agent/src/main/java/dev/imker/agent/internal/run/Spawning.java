package dev.imker.agent.internal.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.agent.internal.cache.BlobCache;
import dev.imker.agent.internal.cache.BlobSource;
import dev.imker.agent.internal.host.HostRequest;
import dev.imker.agent.internal.host.HostRequest.Question;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.lease.Uplink;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.Lease;
import dev.imker.tasks.values.ByteTable;
import dev.imker.tasks.values.ValueException;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.SpawnAnswer;
import dev.imker.wire.proto.SpawnOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Sub-tasks of Java tasks: brings them to the server, and to their hosts what they came to. What is
 * open is sent again to every new session, under the same keys; the server then tells again what it
 * has told.
 */
public final class Spawning {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Before the outcomes stands how long the calls took. */
  private static final int TIME_BYTES = Long.BYTES;

  private final Uplink uplink;
  private final BlobCache cache;
  private final BlobSource source;
  private final Map<String, Batch> open = new ConcurrentHashMap<>();

  public Spawning(Uplink uplink, BlobCache cache, BlobSource source) {
    this.uplink = uplink;
    this.cache = cache;
    this.source = source;
  }

  /** Sub-tasks that became one job, until all of them are settled. */
  private static final class Batch {
    final Lease parent;
    final int first;
    final Spawn message;
    final HostRequest request;
    final BitSet told = new BitSet();
    int delivered;
    volatile boolean sent;

    Batch(Lease parent, int first, Spawn message, HostRequest request) {
      this.parent = parent;
      this.first = first;
      this.message = message;
      this.request = request;
    }

    /** Whether this is the first time that one is told of. */
    synchronized boolean claim(int number) {
      boolean fresh = number > 0 && number <= message.getCount() && !told.get(number);
      if (fresh) {
        told.set(number);
      }
      return fresh;
    }

    /** Returns whether that was the last one. */
    synchronized boolean isOverWithThis() {
      return ++delivered == message.getCount();
    }
  }

  /** A task wants calls to be made as tasks. */
  void spawn(TaskRun run, Question.Spawn calls, HostRequest request) {
    String key = run.held.lease().text() + "/" + calls.first();
    Spawn message =
        Spawn.newBuilder()
            .setLease(run.held.wire())
            .setKey(key)
            .setPayload(payload(run, calls))
            .setCount(calls.count())
            .build();
    begin(run.held.lease(), calls.first(), message, request);
  }

  /**
   * @param first number of the first call in its run
   */
  public void begin(Lease parent, int first, Spawn message, HostRequest request) {
    Batch batch = new Batch(parent, first, message, request);
    open.put(message.getKey(), batch);
    batch.sent = uplink.trySend(message);
  }

  /** That of the task that spawns, with other calls. */
  private static String payload(TaskRun run, Question.Spawn calls) {
    try {
      if (!(JSON.readTree(run.template.payload()) instanceof ObjectNode payload)) {
        throw new ImkerException("The payload of the Java task is not an object.");
      }
      payload.remove("action");
      payload.remove("retries");
      payload
          .putObject("calls")
          .put("templates", calls.templates())
          .put("entries", calls.entries())
          .put("chunk", 1);
      return payload.toString();
    } catch (JsonProcessingException e) {
      throw new ImkerException("The payload of the Java task is not JSON.", e);
    }
  }

  /** A new session knows of nothing that was sent in the one before. */
  public void sendAll(Consumer<Object> sender) {
    for (Batch batch : open.values()) {
      batch.sent = true;
      sender.accept(batch.message);
    }
  }

  public void sendUnsent() {
    for (Batch batch : open.values()) {
      if (!batch.sent) {
        batch.sent = uplink.trySend(batch.message);
      }
    }
  }

  /** A task is over, and with it all that waited for its sub-tasks. */
  void forget(Lease parent) {
    if (!open.isEmpty()) {
      open.values().removeIf(batch -> batch.parent.equals(parent));
    }
  }

  public void answered(SpawnAnswer answer) {
    Batch batch = open.get(answer.getKey());
    if (batch == null) {
      return;
    }
    if (!answer.getRefused().isEmpty()) {
      open.remove(answer.getKey());
      batch.request.refuse(answer.getRefused());
      return;
    }
    batch.request.grant(new byte[0]);
    answer.getOutcomesList().forEach(outcome -> settled(batch, outcome));
  }

  private void settled(Batch batch, SpawnOutcome outcome) {
    for (int number = outcome.getNumber(); number <= outcome.getLast(); number++) {
      if (batch.claim(number)) {
        int sub = batch.first + number - 1;
        if (outcome.getStdoutSha256().isEmpty()) {
          tell(batch, sub, outcome, outcome.getStdout().toByteArray());
          delivered(batch);
        } else {
          Thread.ofVirtual().name("imker-outcome").start(() -> fetch(batch, sub, outcome));
        }
      }
    }
  }

  private void fetch(Batch batch, int sub, SpawnOutcome outcome) {
    try {
      BlobId blob = new BlobId(outcome.getStdoutSha256());
      tell(batch, sub, outcome, Files.readAllBytes(cache.fetch(blob, source)));
    } catch (IOException | ImkerException e) {
      batch.request.failed(sub, "The result could not be fetched: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    delivered(batch);
  }

  /**
   * A batch stays open until the last outcome is here, not until the server has told of it: another
   * server hands out the content only after it was asked for the batch.
   */
  private void delivered(Batch batch) {
    if (batch.isOverWithThis()) {
      open.remove(batch.message.getKey());
    }
  }

  private static void tell(Batch batch, int sub, SpawnOutcome outcome, byte[] stdout) {
    try {
      if (stdout.length > TIME_BYTES) {
        byte[] table = Arrays.copyOfRange(stdout, TIME_BYTES, stdout.length);
        batch.request.outcome(sub, ByteTable.read(table).get(0));
        return;
      }
    } catch (ValueException | IndexOutOfBoundsException e) {
      batch.request.failed(sub, "The result cannot be read: " + e.getMessage());
      return;
    }
    batch.request.failed(
        sub, outcome.getError().isEmpty() ? outcome.getState() : outcome.getError());
  }
}
