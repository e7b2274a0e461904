package dev.imker.client.internal;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.client.ExecutorOptions;
import dev.imker.model.BlobId;
import dev.imker.model.LibrarySeal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The specification of a job of Java tasks, as REST takes it. */
final class JavaJob {
  private static final int MOST_INLINE_BYTES = 48 << 10;

  private final ExecutorOptions options;
  private final Shipping.Library library;
  private final String scope;
  private final List<LibrarySeal> seals;
  private final ArrayNode inputs = RestClient.JSON.createArrayNode();
  private final Map<BlobId, byte[]> blobs = new LinkedHashMap<>();

  /**
   * @param scope of the names by which its tasks wait for each other
   * @param seals signatures of jars of the library
   */
  JavaJob(
      ExecutorOptions options, Shipping.Library library, String scope, List<LibrarySeal> seals) {
    this.options = options;
    this.seals = List.copyOf(seals);
    this.scope = scope;
    this.library = library;
    library.jars().forEach((id, jar) -> input("lib/" + id.sha256() + ".jar", id, jar));
  }

  void input(String path, BlobId blob, byte[] content) {
    inputs.addObject().put("path", path).put("blob", blob.sha256()).put("size", content.length);
    blobs.put(blob, content);
  }

  /** Puts a value into the payload or, if it is large, beside it as an input of that name. */
  void value(ObjectNode payload, String field, String input, byte[] value) {
    if (value.length <= MOST_INLINE_BYTES) {
      payload.put(field, value);
    } else {
      input(input, Shipping.hash(value), value);
    }
  }

  /** The content of all inputs. */
  Map<BlobId, byte[]> blobs() {
    return blobs;
  }

  ArrayNode inputs() {
    return inputs;
  }

  /** The part of a payload that all Java tasks have. */
  ObjectNode payload() {
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

  /** The job itself, without its stages. */
  ObjectNode job() {
    ObjectNode job = RestClient.JSON.createObjectNode();
    job.put("name", options.name());
    job.put("project", options.project());
    job.put("kind", "JAVA");
    job.put("priority", options.priority());
    return job;
  }

  /** A job of calls, one stage with a number per task. */
  byte[] calls(ObjectNode payload, int tasks, int maxFailures) {
    ObjectNode job = job();
    job.put("payload", payload.toString());
    job.set("inputs", inputs);
    ObjectNode range = job.putArray("sweep").addObject().put("name", "n").putObject("range");
    range.put("from", 1).put("to", tasks);
    job.put("maxFailures", maxFailures);
    if (options.network()) {
      job.putObject("rules").put("network", true);
    }
    if (!options.maxRuntime().isZero()) {
      job.put("maxRuntimeMillis", options.maxRuntime().toMillis());
    }
    return RestClient.bytes(job);
  }
}
