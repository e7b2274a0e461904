package dev.imker.model.attest;

import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.Lease;
import dev.imker.model.ResultFile;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSeal;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/**
 * What a node states about an attempt: the lease, the order, the input files, and the outcome.
 *
 * @param order SHA-256 of what {@link JobSeal} makes of the stage
 * @param inputs SHA-256 of the list of files that this task alone was given; see {@link #hashOf}
 * @param stdout SHA-256 of the part contained in the report
 */
public record Statement(
    Lease lease,
    int attempt,
    AgentId agent,
    String order,
    List<String> params,
    String inputs,
    AttemptOutcome outcome,
    int exitCode,
    long startedMillis,
    long endedMillis,
    String stdout,
    String stderr,
    List<ResultFile> results) {
  private static final String PURPOSE = "imker attestation 1";

  /** The hash of a list without files. */
  public static final String NO_INPUTS = hashOf(List.of());

  /** The parts that can be verified separately. */
  public enum Part {
    LEASE("the lease: job, task, attempt, agent"),
    ORDER("what was to be done: command, environment, parameters, inputs"),
    END("how it ended: outcome, exit code, times"),
    OUTPUT("what it wrote to standard output and standard error"),
    RESULTS("its result files");

    private final String words;

    Part(String words) {
      this.words = words;
    }

    public String inWords() {
      return words;
    }
  }

  /** The hash of a list of files, as used in a statement. */
  public static String hashOf(List<InputFile> files) {
    StringBuilder text = new StringBuilder();
    for (InputFile file : files) {
      word(text, file.path());
      word(text, file.blob().sha256());
      word(text, file.executable() ? "x" : "-");
    }
    return BlobId.of(bytes(text)).sha256();
  }

  /** An unambiguous encoding of its parts. */
  static byte[] text(Map<Part, String> parts) {
    StringBuilder text = new StringBuilder();
    word(text, PURPOSE);
    parts.values().forEach(part -> word(text, part));
    return bytes(text);
  }

  /** Hints for finding parts that differ; they prove nothing. */
  static int[] checks(Map<Part, String> parts) {
    return parts.values().stream()
        .mapToInt(
            part -> {
              CRC32 check = new CRC32();
              check.update(part.getBytes(StandardCharsets.UTF_8));
              return (int) check.getValue();
            })
        .toArray();
  }

  Map<Part, String> parts() {
    Map<Part, String> parts = new EnumMap<>(Part.class);
    parts.put(Part.LEASE, words(List.of(lease.text(), "" + attempt, agent.value())));
    parts.put(Part.ORDER, words(List.of(order, inputs)) + words(params));
    parts.put(
        Part.END,
        words(List.of(outcome.name(), "" + exitCode, "" + startedMillis, "" + endedMillis)));
    parts.put(Part.OUTPUT, words(List.of(stdout, stderr)));
    StringBuilder files = new StringBuilder();
    results.stream()
        .sorted(Comparator.comparing(ResultFile::path))
        .forEach(
            file -> {
              word(files, file.path());
              word(files, file.blob().sha256());
              word(files, file.executable() ? "x" : "-");
            });
    parts.put(Part.RESULTS, files.toString());
    return parts;
  }

  private static String words(List<String> words) {
    StringBuilder text = new StringBuilder();
    words.forEach(word -> word(text, word));
    return text.toString();
  }

  /** The length prefix makes the encoding unambiguous. */
  private static void word(StringBuilder text, String word) {
    text.append(word.length()).append(':').append(word).append('\n');
  }

  private static byte[] bytes(StringBuilder text) {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
