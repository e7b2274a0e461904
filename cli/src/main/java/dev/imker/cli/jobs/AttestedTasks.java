package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.ApiException;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskId;
import dev.imker.model.attest.Attestation;
import dev.imker.model.attest.Ed25519;
import dev.imker.model.attest.Statement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Checks what a server says of ended tasks, and the files that it gives out for them, against what
 * the nodes that ran them have signed.
 *
 * @param trusted fingerprints of the only keys that count; empty for all that the pool lists
 * @param withFiles whether files are fetched and hashed
 */
public record AttestedTasks(
    ApiClient api, Set<String> trusted, boolean withFiles, Map<String, String> problemOfFile) {
  private static final int PIECE_BYTES = 1 << 16;

  public AttestedTasks(ApiClient api, Set<String> trusted, boolean withFiles) {
    this(api, trusted, withFiles, new HashMap<>());
  }

  /**
   * What came out for one task.
   *
   * @param key fingerprint of the key that signed, with what became of it since; empty if none did
   * @param given files of this task alone, as signed: results of others, a checkpoint
   * @param problems in words; empty if all is right
   */
  public record Finding(
      String task, String node, String key, Map<String, String> given, List<String> problems) {
    public boolean isRight() {
      return problems.isEmpty();
    }
  }

  /** Tells of every ended task of a selection that ran, in order. */
  public void check(SelectedTasks.Part part, Consumer<Finding> found) {
    int from = part.first();
    while (from > 0 && from <= part.last()) {
      JsonNode page = api.get("/api/v1/jobs/%d/attestations?from=%d".formatted(part.job(), from));
      for (JsonNode task : page.path("tasks")) {
        boolean ran = task.path("startedMillis").asLong() > 0;
        if (task.path("number").asInt() <= part.last()
            && ran
            && !page.path("kind").asText().equals("NOOP")) {
          found.accept(check(part.job(), page, task));
        }
      }
      from = page.path("next").asInt();
    }
  }

  private Finding check(long job, JsonNode page, JsonNode task) {
    String name = job + "." + task.path("number").asInt();
    String node = task.path("node").asText();
    List<String> problems = new ArrayList<>();
    if (withFiles) {
      for (JsonNode file : task.path("results")) {
        checkFile(
            file.path("sha256").asText(), "its result " + file.path("path").asText(), problems);
      }
      checkFile(task.path("stdout").path("sha256").asText(""), "its standard output", problems);
      checkFile(task.path("stderr").path("sha256").asText(""), "its standard error", problems);
    }
    String encoded = task.path("attestation").asText();
    if (encoded.isEmpty()) {
      problems.add("its node signed nothing, so what the pool says about it cannot be verified");
      return new Finding(name, node, "", Map.of(), problems);
    }
    Attestation attestation;
    Statement statement;
    try {
      attestation = Attestation.decode(Base64.getDecoder().decode(encoded));
      statement = statement(job, page, task, attestation.inputs());
    } catch (IllegalArgumentException e) {
      problems.add("the pool's record of it cannot be read: " + e.getMessage());
      return new Finding(name, node, "", Map.of(), problems);
    }
    String key = signer(page, task, attestation, statement, problems);
    Map<String, String> given =
        attestation.files().stream()
            .collect(
                Collectors.toMap(file -> file.path(), file -> file.blob().sha256(), (a, b) -> b));
    if (!given.isEmpty() && !Statement.hashOf(attestation.files()).equals(attestation.inputs())) {
      problems.add("its list of input files is not the one that was signed");
    }
    return new Finding(name, node, key, given, problems);
  }

  /** The key that signed, in words; adds to the problems if there is none. */
  private String signer(
      JsonNode page,
      JsonNode task,
      Attestation attestation,
      Statement statement,
      List<String> problems) {
    for (JsonNode entry : page.path("keys")) {
      byte[] key = Base64.getDecoder().decode(entry.path("key").asText());
      if (entry.path("agent").asText().equals(task.path("agent").asText())
          && attestation.proves(statement, key)) {
        String fingerprint = Ed25519.fingerprint(key);
        if (!trusted.isEmpty() && !trusted.contains(fingerprint)) {
          problems.add("it is signed by the key " + fingerprint + ", which is not one of --key");
        }
        return fingerprint
            + (entry.path("revoked").asBoolean() ? " (revoked since)" : "")
            + (entry.path("past").asBoolean() ? " (of an agent that has since joined again)" : "");
      }
    }
    List<Statement.Part> differing = attestation.differing(statement);
    problems.add(
        differing.isEmpty()
            ? "it is not signed by any key that the pool lists for its agent"
            : "what the pool says differs from what its node signed: "
                + differing.stream().map(Statement.Part::inWords).collect(Collectors.joining("; "))
                + (differing.contains(Statement.Part.ORDER)
                    ? " (or the job was changed after this task ran)"
                    : ""));
    return "";
  }

  private static Statement statement(long job, JsonNode page, JsonNode task, String inputs) {
    String order = page.path("stages").path(task.path("stage").asInt()).asText();
    List<String> params = new ArrayList<>();
    task.path("params").forEach(value -> params.add(value.asText()));
    List<ResultFile> results = new ArrayList<>();
    for (JsonNode file : task.path("results")) {
      results.add(
          new ResultFile(
              file.path("path").asText(),
              new BlobId(file.path("sha256").asText()),
              file.path("size").asLong(),
              file.path("executable").asBoolean()));
    }
    return new Statement(
        new Lease(
            TaskId.of(job, task.path("number").asInt() - 1),
            new LeaseToken(
                task.path("token").asLong(),
                HexFormat.fromHexDigitsToLong(task.path("incarnation").asText()))),
        task.path("attempt").asInt(),
        new AgentId(task.path("agent").asText()),
        BlobId.of(order.getBytes(StandardCharsets.UTF_8)).sha256(),
        params,
        inputs,
        AttemptOutcome.valueOf(task.path("outcome").asText()),
        task.path("exitCode").asInt(),
        task.path("startedMillis").asLong(),
        task.path("endedMillis").asLong(),
        output(task.path("stdout")),
        output(task.path("stderr")),
        results);
  }

  private static String output(JsonNode output) {
    return output.hasNonNull("sha256")
        ? output.path("sha256").asText()
        : BlobId.of(Base64.getDecoder().decode(output.path("inline").asText())).sha256();
  }

  /** Files with the same content are fetched once. */
  private void checkFile(String sha256, String what, List<String> problems) {
    if (!sha256.isEmpty()) {
      String problem = problemOfFile.computeIfAbsent(sha256, this::problemOf);
      if (!problem.isEmpty()) {
        problems.add(what + " " + problem);
      }
    }
  }

  private String problemOf(String sha256) {
    try (InputStream content = api.open("/api/v1/blobs/" + sha256)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] piece = new byte[PIECE_BYTES];
      for (int n = content.read(piece); n >= 0; n = content.read(piece)) {
        digest.update(piece, 0, n);
      }
      String now = HexFormat.of().formatHex(digest.digest());
      return now.equals(sha256) ? "" : "differs from what was signed (now " + now + ")";
    } catch (ApiException e) {
      return "cannot be fetched: " + e.getMessage();
    } catch (IOException e) {
      throw new ImkerException(
          "The server closed the connection while sending a file: " + e.getMessage(), e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
