package dev.imker.server.internal.rest.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.jobfile.Explanation;
import dev.imker.jobfile.JobFileReader;
import dev.imker.jobfile.JobFileSchema;
import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.Reading;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.files.ListedFiles;
import dev.imker.jobfile.files.WithDataSets;
import dev.imker.jobfile.findings.Finding;
import dev.imker.jobfile.findings.Finding.Severity;
import dev.imker.jobfile.tsv.TsvReader;
import dev.imker.model.BlobId;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.data.PoolDataSets;
import dev.imker.server.internal.rest.data.UserFiles;
import dev.imker.server.internal.rest.request.Checks;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Job files: their schema, what is wrong in one, and submitting one. */
public record JobFileRoutes(
    BlobStore blobs,
    UserFiles userFiles,
    PoolDataSets dataSets,
    Acceptance acceptance,
    Outlook outlook) {
  private static final int MAX_BYTES = 40 << 20;
  private static final int MAX_FILES = 100_000;
  private static final int MAX_TABLE_BYTES = 32 << 20;

  public record Checked(boolean valid, List<Finding> findings, List<Explanation> jobs) {}

  /** The jobs that were made from a job file. */
  record Submitted(List<JobView> jobs) {}

  /** Takes jobs that have been read, as {@code POST /api/v1/jobs/batch} does. */
  public interface Acceptance {
    List<JobView> accept(Exchange exchange, List<JobSpec> specs) throws InterruptedException;
  }

  /** Tells what the pool could not do of a job; throws if it would refuse the job for that. */
  public interface Outlook {
    List<String> of(JobSpec spec) throws InterruptedException;
  }

  /** A job file as it was sent, with the files it may refer to. */
  private record Sent(Reading reading, Map<String, InputFile> files) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/schemas/job.json", Access.KNOWN, JobFileRoutes::schema),
        Endpoint.post("/api/v1/jobfiles/check", Access.WORK, this::check),
        Endpoint.post("/api/v1/jobfiles", Access.WORK, this::submit));
  }

  private static void schema(Exchange exchange) throws IOException {
    exchange.bytes(
        200, "application/schema+json", JobFileSchema.json().getBytes(StandardCharsets.UTF_8));
  }

  private void check(Exchange exchange) throws IOException, InterruptedException {
    Reading reading = read(exchange.json(MAX_BYTES), exchange.identity()).reading;
    List<Explanation> plans = reading.jobs().stream().map(Explanation::of).toList();
    List<Finding> findings = new ArrayList<>(reading.findings());
    for (JobDraft job : reading.jobs()) {
      try {
        outlook.of(job.spec()).forEach(text -> findings.add(ofPool(Severity.WARNING, text)));
      } catch (ApiException e) {
        findings.add(ofPool(Severity.ERROR, String.valueOf(e.getMessage())));
      }
    }
    boolean valid = findings.stream().noneMatch(Finding::isError);
    exchange.json(200, new Checked(valid, findings, plans));
  }

  private static Finding ofPool(Severity severity, String text) {
    return new Finding(severity, "", 0, 0, "needs", text, "");
  }

  private void submit(Exchange exchange) throws IOException, InterruptedException {
    Sent sent = read(exchange.json(MAX_BYTES), exchange.identity());
    Optional<Finding> first = sent.reading.findings().stream().filter(Finding::isError).findFirst();
    if (first.isPresent()) {
      throw ApiException.invalid(
          first.get().field(), first.get() + " Check the file to see all mistakes.");
    }
    List<JobSpec> specs =
        sent.reading.jobs().stream().map(job -> complete(job, sent.files)).toList();
    exchange.json(201, new Submitted(acceptance.accept(exchange, specs)));
  }

  private static JobSpec complete(JobDraft job, Map<String, InputFile> files) {
    return job.complete(
        input -> {
          InputFile file = files.get(input.source());
          if (file == null) {
            throw ApiException.invalid("files", input.source() + " has no blob.");
          }
          return new InputFile(
              input.path(),
              file.blob(),
              file.size(),
              input.executable(),
              input.os(),
              input.param());
        });
  }

  // ---------------------------------------------------------------- reading

  private Sent read(JsonNode body, Identity caller) {
    JsonFields fields = JsonFields.of(body, "", Set.of("text", "name", "set", "files"));
    String name = fields.text("name", "job.yaml");
    byte[] text = fields.text("text").getBytes(StandardCharsets.UTF_8);
    Map<String, InputFile> stored = new HashMap<>();
    JobFiles known = fields.has("files") ? files(fields, stored, caller) : JobFiles.unknown();
    JobFiles files = new WithDataSets(known, dataSets);
    Reading reading =
        name.toLowerCase(Locale.ROOT).endsWith(".tsv")
            ? TsvReader.read(name, text, files)
            : JobFileReader.read(name, text, files, fields.map("set"));
    return new Sent(reading, stored);
  }

  private JobFiles files(JsonFields fields, Map<String, InputFile> stored, Identity caller) {
    List<ListedFiles.Listed> list =
        fields.list("files", MAX_FILES, (node, where) -> file(node, where, stored));
    return new ListedFiles(list, path -> content(stored.get(path), caller));
  }

  private static ListedFiles.Listed file(
      JsonNode node, String where, Map<String, InputFile> stored) {
    JsonFields file = JsonFields.of(node, where, Set.of("path", "size", "blob", "executable"));
    String path = Checks.path(file.at("path"), file.text("path"));
    long size = file.number("size", 0, Long.MAX_VALUE);
    boolean executable = file.flag("executable", false);
    if (file.has("blob")) {
      String sha256 = file.text("blob");
      if (!BlobId.isValid(sha256)) {
        throw ApiException.invalid(file.at("blob"), file.at("blob") + " must be a SHA-256.");
      }
      stored.put(path, new InputFile(path, new BlobId(sha256), size, executable));
    }
    return new ListedFiles.Listed(path, size, executable);
  }

  /** Tables are read where their content is there, for the caller too: a hash opens nothing. */
  private Optional<byte[]> content(
      @org.jspecify.annotations.Nullable InputFile file, Identity caller) throws IOException {
    if (file == null || !userFiles.has(caller, file.blob())) {
      return Optional.empty();
    }
    try (InputStream in = blobs.open(file.blob())) {
      return Optional.of(in.readNBytes(MAX_TABLE_BYTES));
    }
  }
}
