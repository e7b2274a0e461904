package dev.imker.agent.internal.lease;

import com.google.protobuf.ByteString;
import dev.imker.agent.internal.cache.BlobClient;
import dev.imker.agent.internal.cache.Sha256;
import dev.imker.agent.internal.host.Ended;
import dev.imker.model.BlobId;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What Java tasks leave: the value as what they wrote, the log as what they complained. */
public record JavaReports(BlobClient blobs, Path folder) {
  /** A stage that names this as a result leaves its value as a file for later stages. */
  static final String VALUE_FILE = "value.cbor";

  /** Parts of a report, each inline or a blob. */
  public record Uploaded(Part value, Part log, @Nullable ResultFile file) {
    public void addTo(Finished.Builder report) {
      report
          .setStdout(value.inline)
          .setStdoutSize(value.size)
          .setStdoutSha256(value.sha256)
          .setStderr(log.inline)
          .setStderrSize(log.size)
          .setStderrSha256(log.sha256);
      if (file != null) {
        report.addResults(file);
      }
    }
  }

  /** Bytes that are here or under a hash. */
  record Part(ByteString inline, String sha256, long size) {
    static Part of(byte[] bytes) {
      return new Part(ByteString.copyFrom(bytes), "", bytes.length);
    }
  }

  public static Uploaded inline(Ended end) {
    return new Uploaded(Part.of(end.value()), Part.of(tail(end.log())), null);
  }

  private static byte[] tail(byte[] log) {
    return Arrays.copyOfRange(log, Math.max(0, log.length - Reporting.INLINE_BYTES), log.length);
  }

  public boolean needsUpload(TaskRun run, Ended end) {
    return end.value().length > Reporting.INLINE_BYTES
        || end.log().length > Reporting.INLINE_BYTES
        || leavesFile(run, end);
  }

  private static boolean leavesFile(TaskRun run, Ended end) {
    List<String> outputs = run.template.outputs();
    return end.succeeded() && outputs.contains(VALUE_FILE);
  }

  public Uploaded upload(TaskRun run, Ended end) throws IOException, InterruptedException {
    ResultFile file = null;
    if (leavesFile(run, end)) {
      file =
          ResultFile.newBuilder()
              .setPath(VALUE_FILE)
              .setSha256(store(run, end.value()))
              .setSize(end.value().length)
              .build();
    }
    return new Uploaded(part(run, end.value()), part(run, end.log()), file);
  }

  private Part part(TaskRun run, byte[] bytes) throws IOException, InterruptedException {
    return bytes.length <= Reporting.INLINE_BYTES
        ? Part.of(bytes)
        : new Part(ByteString.EMPTY, store(run, bytes), bytes.length);
  }

  /** Stores bytes as a blob; returns its hash. */
  String store(TaskRun run, byte[] bytes) throws IOException, InterruptedException {
    Path file = Files.createTempFile(folder, "value", ".cbor");
    try {
      Files.write(file, bytes);
      BlobId blob = Sha256.of(file);
      blobs.upload(blob, file, run.held.lease());
      return blob.sha256();
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
