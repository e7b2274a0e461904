package dev.imker.agent.internal.host;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.LibrarySeal;
import dev.imker.model.job.TaskTemplate;
import dev.imker.tasks.values.ByteTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a stage of Java tasks.
 *
 * @param retries how often a call that failed is tried again
 * @param retriedOn classes of exceptions after which it is; any if there are none
 * @param attemptsBefore how often its calls were tried before, in other tasks
 * @param memoryMegabytes heap of the host; 0 means the usual
 * @param seals signatures of jars of the library
 * @param scope of the names by which tasks wait for each other; empty means the job
 */
public record JavaPayload(
    List<BlobId> library,
    @Nullable Calls calls,
    @Nullable Action action,
    int retries,
    List<String> retriedOn,
    int attemptsBefore,
    int memoryMegabytes,
    String scope,
    List<LibrarySeal> seals) {
  /** Calls are in an input of this name if there are too many for the payload. */
  private static final String CALLS_INPUT = "calls";

  /** What calls have in common is in an input of this name if it is large. */
  private static final String TEMPLATES_INPUT = ".templates";

  /** What a planned job has is in an input of this name if it is large. */
  private static final String GIVEN_INPUT = "given";

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int MAX_MEGABYTES = 1 << 20;

  /**
   * Calls, so many per task.
   *
   * @param templates null if they are an input
   * @param entries null if they are an input
   * @param limitMillis of each call; 0 means none
   * @param patienceMillis how long a call may delay others in its task; 0 means for ever
   */
  public record Calls(
      byte @Nullable [] templates,
      @Nullable ByteTable entries,
      int chunk,
      long limitMillis,
      long patienceMillis) {
    public Calls with(byte[] someTemplates, ByteTable someEntries) {
      return new Calls(someTemplates, someEntries, chunk, limitMillis, patienceMillis);
    }
  }

  /** A task of a plan. */
  public record Action(String className, Map<String, String> arguments, byte[] given) {}

  /**
   * @throws ImkerException if the payload is not understood
   */
  public static JavaPayload parse(String payload) {
    try {
      JsonNode node = JSON.readTree(payload);
      if (node.path("v").asInt() != 1) {
        throw new ImkerException(
            "The payload of the Java task has a version that this agent does not support.");
      }
      JavaPayload read =
          new JavaPayload(
              library(node.path("library")),
              node.has("calls") ? calls(node.path("calls")) : null,
              node.has("action") ? action(node.path("action")) : null,
              node.path("retries").asInt(0),
              texts(node.path("retriedOn")),
              node.path("attemptsBefore").asInt(0),
              Math.clamp(node.path("memoryMegabytes").asInt(0), 0, MAX_MEGABYTES),
              node.path("scope").asText(""),
              seals(node.path("signatures")));
      if ((read.calls == null) == (read.action == null)) {
        throw new ImkerException("The payload of the Java task has neither calls nor an action.");
      }
      return read;
    } catch (JsonProcessingException e) {
      throw new ImkerException("The payload of the Java task is not JSON.", e);
    } catch (IOException | IllegalArgumentException e) {
      throw new ImkerException("The payload of the Java task is not valid: " + e.getMessage(), e);
    }
  }

  /** The input with what the job has; nothing if that is in the payload. */
  public Optional<InputFile> givenInput(TaskTemplate template) {
    return action == null ? Optional.empty() : find(template, GIVEN_INPUT);
  }

  /** The input with what calls have in common. */
  public static Optional<InputFile> templatesInput(TaskTemplate template) {
    return find(template, TEMPLATES_INPUT);
  }

  public static Optional<InputFile> callsInput(TaskTemplate template) {
    return find(template, CALLS_INPUT);
  }

  private static Optional<InputFile> find(TaskTemplate template, String path) {
    return template.inputs().stream().filter(input -> input.path().equals(path)).findFirst();
  }

  /** Whether an input of the job is a file that its tasks see: neither code nor values. */
  public boolean isFile(InputFile input) {
    Set<String> values =
        action == null ? Set.of(CALLS_INPUT, TEMPLATES_INPUT) : Set.of(GIVEN_INPUT);
    return !library.contains(input.blob()) && !values.contains(input.path());
  }

  private static List<String> texts(JsonNode names) {
    List<String> texts = new ArrayList<>();
    names.forEach(name -> texts.add(name.asText()));
    return List.copyOf(texts);
  }

  private static List<BlobId> library(JsonNode names) {
    List<BlobId> library = new ArrayList<>();
    names.forEach(name -> library.add(new BlobId(name.asText())));
    return List.copyOf(library);
  }

  private static List<LibrarySeal> seals(JsonNode signatures) {
    List<LibrarySeal> seals = new ArrayList<>();
    for (JsonNode one : signatures) {
      seals.add(
          new LibrarySeal(
              one.path("name").asText(),
              one.path("version").asText(),
              new BlobId(one.path("sha256").asText()),
              one.path("signature").asText()));
    }
    return List.copyOf(seals);
  }

  private static Calls calls(JsonNode node) throws IOException {
    JsonNode entries = node.path("entries");
    return new Calls(
        node.has("templates") ? node.path("templates").binaryValue() : null,
        entries.isMissingNode() ? null : ByteTable.read(entries.binaryValue()),
        Math.max(1, node.path("chunk").asInt(1)),
        node.path("limitMillis").asLong(0),
        node.path("patienceMillis").asLong(0));
  }

  private static Action action(JsonNode node) throws IOException {
    Map<String, String> arguments = new LinkedHashMap<>();
    node.path("arguments")
        .properties()
        .forEach(entry -> arguments.put(entry.getKey(), entry.getValue().asText()));
    byte[] given = node.has("given") ? node.path("given").binaryValue() : new byte[0];
    return new Action(node.path("class").asText(), Map.copyOf(arguments), given);
  }

  /** The entries of one task. */
  public static List<byte[]> slice(ByteTable entries, int chunk, int number) {
    int from = Math.multiplyExact(number - 1, chunk);
    int to = Math.min(entries.size(), from + chunk);
    if (from < 0 || from >= to) {
      throw new ImkerException("The job has no calls for task " + number + ".");
    }
    List<byte[]> own = new ArrayList<>(to - from);
    for (int i = from; i < to; i++) {
      own.add(entries.get(i));
    }
    return own;
  }
}
