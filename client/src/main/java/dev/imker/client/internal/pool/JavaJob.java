package dev.imker.client.internal.pool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.internal.http.RestClient;
import dev.imker.client.internal.shipping.Shipping;
import dev.imker.model.BlobId;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.LibrarySeal;
import dev.imker.model.job.Notices;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A job of Java tasks, with the content of its inputs. */
public final class JavaJob {
  private static final long LIMIT_GRACE_MILLIS = 600_000;
  private static final int MAX_INLINE_BYTES = 48 << 10;

  private final ExecutorOptions options;
  private final Shipping.Library library;
  private final String scope;
  private final List<LibrarySeal> seals;
  private final List<InputFile> inputs = new ArrayList<>();
  private final Map<BlobId, byte[]> blobs = new LinkedHashMap<>();

  /**
   * @param scope of the names by which its tasks wait for each other
   * @param seals signatures of jars of the library
   */
  public JavaJob(
      ExecutorOptions options, Shipping.Library library, String scope, List<LibrarySeal> seals) {
    this.options = options;
    this.seals = List.copyOf(seals);
    this.scope = scope;
    this.library = library;
    library.jars().forEach((id, jar) -> input("lib/" + id.sha256() + ".jar", id, jar, false));
  }

  void input(String path, BlobId blob, byte[] content, boolean executable) {
    inputs.add(new InputFile(path, blob, content.length, executable));
    blobs.put(blob, content);
  }

  /** Puts a value into the payload or, if it is large, beside it as an input of that name. */
  public void value(ObjectNode payload, String field, String input, byte[] value) {
    if (value.length <= MAX_INLINE_BYTES) {
      payload.put(field, value);
    } else {
      input(input, Shipping.hash(value), value, false);
    }
  }

  /** The content of all inputs. */
  public Map<BlobId, byte[]> blobs() {
    return blobs;
  }

  /** The part of a payload that all Java tasks have. */
  public ObjectNode payload() {
    ObjectNode payload = RestClient.JSON.createObjectNode();
    payload.put("v", 1);
    payload.put("scope", scope);
    ArrayNode jars = payload.putArray("library");
    library.ids().forEach(id -> jars.add(id.sha256()));
    if (!seals.isEmpty()) {
      ArrayNode signatures = payload.putArray("signatures");
      for (LibrarySeal seal : seals) {
        signatures
            .addObject()
            .put("sha256", seal.jar().sha256())
            .put("name", seal.name())
            .put("version", seal.version())
            .put("signature", seal.signature());
      }
    }
    if (options.memoryMegabytes() > 0) {
      payload.put("memoryMegabytes", options.memoryMegabytes());
    }
    return payload;
  }

  /** The job of these stages, as JSON. */
  public byte[] job(List<Stage> stages, OnFailure onFailure) {
    JobSpec job =
        new JobSpec(
            JobSpec.CURRENT_VERSION,
            options.name(),
            options.project(),
            JobKind.JAVA,
            options.priority(),
            stages,
            onFailure,
            Notices.NOBODY);
    return RestClient.bytes(job);
  }

  /** A stage with all inputs of the job. */
  public Stage stage(
      ObjectNode payload, List<SweepAxis> sweep, List<String> outputs, int maxFailures) {
    return Stage.of(List.of(), sweep)
        .withPayload(payload.toString())
        .withFiles(inputs, outputs)
        .withNeeds(
            Requirements.of(options.needs().withHeap((long) options.memoryMegabytes() << 20)))
        .withRules(
            TaskRules.USUAL.with(
                rules -> {
                  rules.maxFailures = maxFailures;
                  rules.network = options.network();
                  rules.pin = options.node();
                  // A copy would take part a second time in what the tasks do together.
                  rules.speculative = false;
                }));
  }

  /**
   * A job of calls, one stage with a number per task. The limit of a call is kept where it is made;
   * that of its task is for a machine that keeps none, and leaves time to start a host on a slow
   * one.
   */
  byte[] calls(ObjectNode payload, int tasks, int chunk, int maxFailures) {
    List<SweepAxis> sweep = List.of(SweepAxis.range("n", 1, tasks, 1, 0));
    Stage plain = stage(payload, sweep, List.of(), maxFailures);
    Stage stage = plain.withRules(plain.rules().withBackoff(options.backoff().toMillis()));
    long millis = options.maxRuntime().toMillis();
    Stage limited =
        millis == 0
            ? stage
            : stage.withRules(
                stage.rules().withLimits(maxFailures, millis * chunk + LIMIT_GRACE_MILLIS));
    return job(List.of(limited), OnFailure.CARRY_ON);
  }
}
