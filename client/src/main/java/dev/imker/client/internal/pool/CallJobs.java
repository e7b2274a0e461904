package dev.imker.client.internal.pool;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.internal.shipping.SentFiles;
import dev.imker.client.internal.shipping.Shipping;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Makes jobs of calls. */
final class CallJobs {
  /** Inputs with what is too large for a payload. */
  private static final String CALLS_INPUT = "calls";

  private static final String TEMPLATES_INPUT = ".templates";

  private static final int FAILURES_OF_MACHINES = 5;

  private final JobSession session;
  private final ExecutorOptions options;
  private final Shipping shipping;
  private @Nullable Map<String, InputContent> files;

  CallJobs(JobSession session, ExecutorOptions options, Shipping shipping) {
    this.session = session;
    this.options = options;
    this.shipping = shipping;
  }

  /** The scope of names of what belongs together for longer than this program lives. */
  static String named(String what) {
    return UUID.nameUUIDFromBytes(what.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /**
   * A job without calls yet.
   *
   * @param names scope of the names by which its tasks wait for each other
   */
  JavaJob job(ExecutorOptions how, String names) throws InterruptedException {
    Shipping.Library library = shipping.library();
    return new JavaJob(how, library, names, session.signatures().of(library.ids()));
  }

  /** The job with these calls, as JSON. */
  byte[] calls(
      JavaJob job,
      ObjectNode payload,
      ExecutorOptions how,
      int tasks,
      int chunk,
      byte[] templates,
      byte[] entries) {
    ObjectNode table = payload.withObject("/calls");
    table.put("chunk", chunk);
    table.put("limitMillis", how.maxRuntime().toMillis());
    job.value(table, "templates", TEMPLATES_INPUT, templates);
    job.value(table, "entries", CALLS_INPUT, entries);
    files().forEach((path, file) -> job.input(path, file.id(), file.content(), file.executable()));
    payload.put("retries", how.retries());
    ArrayNode types = payload.putArray("retriedOn");
    how.retriedOn().forEach(type -> types.add(type.getName()));
    return job.calls(payload, tasks, chunk, how.retries() + FAILURES_OF_MACHINES);
  }

  /** What calls find in their folders; read once. */
  private Map<String, InputContent> files() {
    Map<String, InputContent> known = files;
    if (known == null) {
      Map<String, InputContent> read = new TreeMap<>();
      SentFiles.of(options.files()).forEach((path, file) -> read.put(path, InputContent.of(file)));
      known = read;
      files = known;
    }
    return known;
  }

  private record InputContent(BlobId id, byte[] content, boolean executable) {
    static InputContent of(Path file) {
      try {
        byte[] content = Files.readAllBytes(file);
        return new InputContent(Shipping.hash(content), content, Files.isExecutable(file));
      } catch (IOException e) {
        throw new ImkerException("The file " + file + " cannot be read: " + e.getMessage(), e);
      }
    }
  }
}
