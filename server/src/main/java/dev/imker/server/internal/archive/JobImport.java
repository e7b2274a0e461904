package dev.imker.server.internal.archive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskState;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.RecordChange;
import dev.imker.model.change.TaskImported;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.text.SafePath;
import dev.imker.model.text.SafeText;
import dev.imker.server.http.Json;
import dev.imker.store.blobs.BlobMismatchException;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.BlobUpload;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;

/**
 * Reads jobs out of an archive as it comes. Every file is checked against its hash, and a job is
 * taken only if all files it names are there. A job is settled from the moment it appears, so that
 * nothing of it is ever run here.
 */
public final class JobImport {
  private static final int MAX_JSON_BYTES = 64 << 20;
  private static final int MAX_TASK_CHARS = 8 << 20;
  private static final int TASKS_PER_CHANGE = 500;
  private static final int PIECE_BYTES = 64 << 10;

  /** What takes the parts in. */
  public interface Target {
    /** Complains if so much does not fit. */
    void requireRoom(long moreBytes);

    void brought(BlobId blob, long size) throws InterruptedException;

    /** A job as somebody would submit it; complains about what is wrong with it. */
    JobSpec spec(JsonNode json);

    /** Which of these files are not there. */
    List<BlobId> missing(Set<BlobId> blobs);

    JobId add(JobSpec spec, long submittedMillis, long settledMillis, int priority, int[] counts)
        throws InterruptedException;

    void write(List<RecordChange> tasks) throws InterruptedException;

    /** All of these came whole. */
    void complete(List<JobId> jobs) throws InterruptedException;

    /** The archive was not taken to its end, so none of these stays. */
    void discard(List<JobId> jobs) throws InterruptedException;
  }

  public record Imported(long job, long was, String name, int tasks) {}

  private final BlobStore blobs;
  private final Target target;
  private final List<JobId> added = new ArrayList<>();

  public JobImport(BlobStore blobs, Target target) {
    this.blobs = blobs;
    this.target = target;
  }

  /** Takes all jobs of an archive, or none. */
  public List<Imported> read(InputStream body) throws IOException, InterruptedException {
    boolean whole = false;
    try {
      List<Imported> jobs = readAll(body);
      target.complete(added);
      whole = true;
      return jobs;
    } finally {
      if (!whole) {
        target.discard(added);
      }
    }
  }

  private List<Imported> readAll(InputStream body) throws IOException, InterruptedException {
    List<Imported> jobs = new ArrayList<>();
    ZipInputStream zip = new ZipInputStream(body);
    try {
      int expected = checkManifest(zip);
      JsonNode job = null;
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        String name = entry.getName();
        if (name.startsWith(ArchiveFormat.BLOBS)) {
          takeBlob(name.substring(ArchiveFormat.BLOBS.length()), zip);
        } else if (name.endsWith("/" + ArchiveFormat.JOB)) {
          job = json(zip.readNBytes(MAX_JSON_BYTES));
        } else if (name.endsWith("/" + ArchiveFormat.TASKS) && job != null) {
          jobs.add(takeJob(job, zip));
          job = null;
        }
      }
      if (jobs.size() != expected) {
        throw new ArchiveException(
            "The archive ends too early: %d of %d jobs are in it.".formatted(jobs.size(), expected),
            null);
      }
    } catch (EOFException e) {
      throw new ArchiveException("The archive ends too early.", e);
    } catch (ZipException | IllegalArgumentException e) {
      throw new ArchiveException("The archive is damaged: " + e.getMessage(), e);
    }
    return jobs;
  }

  /** How many jobs there are to be. */
  private static int checkManifest(ZipInputStream zip) throws IOException {
    ZipEntry first = zip.getNextEntry();
    if (first == null || !first.getName().equals(ArchiveFormat.MANIFEST)) {
      throw new ArchiveException("This is not a job archive; 'imker export' creates those.", null);
    }
    JsonNode manifest = json(zip.readNBytes(MAX_JSON_BYTES));
    int version = manifest.path("version").asInt();
    if (!manifest.path("format").asText().equals(ArchiveFormat.NAME)
        || version > ArchiveFormat.VERSION) {
      throw new ArchiveException(
          "The archive has version %d, but this version of Imker supports at most %d; use the version that created it."
              .formatted(version, ArchiveFormat.VERSION),
          null);
    }
    return manifest.path("jobs").size();
  }

  private static JsonNode json(byte[] bytes) throws IOException {
    try {
      return Json.MAPPER.readTree(bytes);
    } catch (JsonProcessingException e) {
      throw new ArchiveException("The archive is damaged: " + e.getOriginalMessage(), e);
    }
  }

  private void takeBlob(String hash, ZipInputStream zip) throws IOException, InterruptedException {
    if (!BlobId.isValid(hash)) {
      throw new ArchiveException("The archive is damaged: no hash: " + hash, null);
    }
    BlobId blob = new BlobId(hash);
    try (BlobUpload upload = blobs.upload(blob)) {
      byte[] piece = new byte[PIECE_BYTES];
      for (int count = zip.read(piece); count >= 0; count = zip.read(piece)) {
        upload.write(piece, 0, count);
        target.requireRoom(upload.size());
      }
      long size = upload.size();
      upload.finish();
      target.brought(blob, size);
    } catch (BlobMismatchException e) {
      throw new ArchiveException(
          "The archive is damaged: file " + hash + " has different content.", e);
    }
  }

  /** Tasks are written a few at a time; the job is there, and settled, before the first. */
  private Imported takeJob(JsonNode job, ZipInputStream zip)
      throws IOException, InterruptedException {
    JobSpec spec = target.spec(job.path("spec"));
    requireFiles(inputs(spec));
    int[] counts = new int[TaskState.values().length];
    long total = 0;
    for (TaskState state : TaskState.values()) {
      counts[state.ordinal()] = job.path("counts").path(state.name()).asInt();
      total += state.isSettled() ? counts[state.ordinal()] : 0;
    }
    if (total != spec.taskCount()) {
      throw new ArchiveException(
          "Job %s of the archive is not finished.".formatted(job.path("id")), null);
    }
    JobId id =
        target.add(
            spec,
            job.path("submitted").asLong(),
            job.path("settled").asLong(),
            Math.clamp(job.path("priority").asInt(), 0, 9),
            counts);
    added.add(id);
    takeTasks(id, spec, zip);
    return new Imported(id.value(), job.path("id").asLong(), spec.name(), (int) total);
  }

  private void takeTasks(JobId id, JobSpec spec, ZipInputStream zip)
      throws IOException, InterruptedException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(zip, StandardCharsets.UTF_8));
    List<RecordChange> tasks = new ArrayList<>();
    Set<BlobId> files = new HashSet<>();
    Set<Integer> seen = new HashSet<>();
    for (String line = line(lines); !line.isEmpty(); line = line(lines)) {
      TaskImported task = ArchiveFormat.read(id, json(line.getBytes(StandardCharsets.UTF_8)));
      int index = task.task().index();
      if (index < 0 || index >= spec.taskCount() || !seen.add(index)) {
        throw new ArchiveException(
            "The archive is damaged: missing or repeated task " + index, null);
      }
      if (task.attempts().stream().map(TaskImported.Attempt::token).distinct().count()
          < task.attempts().size()) {
        throw new ArchiveException(
            "The archive is damaged: task %d has two attempts of one lease.".formatted(index + 1),
            null);
      }
      requireSafePaths(task);
      tasks.add(task);
      task.attempts().forEach(attempt -> addFiles(attempt, files));
      if (tasks.size() == TASKS_PER_CHANGE) {
        flush(tasks, files);
      }
    }
    flush(tasks, files);
  }

  private static void requireSafePaths(TaskImported task) {
    for (TaskImported.Attempt attempt : task.attempts()) {
      for (ResultFile file : attempt.report().results()) {
        SafePath.problem(file.path())
            .ifPresent(
                why -> {
                  throw new ArchiveException(
                      "A result of the archive is called '%s', which %s."
                          .formatted(SafeText.line(file.path(), 200), why),
                      null);
                });
      }
    }
  }

  /** The next line, empty at the end; a small archive may hold a line of any length. */
  private static String line(BufferedReader from) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = from.read(); next >= 0 && next != '\n'; next = from.read()) {
      if (line.length() == MAX_TASK_CHARS) {
        throw new ArchiveException(
            "A task of the archive has more than %,d characters.".formatted(MAX_TASK_CHARS), null);
      }
      line.append((char) next);
    }
    return line.toString();
  }

  private void flush(List<RecordChange> tasks, Set<BlobId> files) throws InterruptedException {
    requireFiles(files);
    target.write(List.copyOf(tasks));
    tasks.clear();
    files.clear();
  }

  private void requireFiles(Set<BlobId> files) {
    List<BlobId> missing = target.missing(files);
    if (!missing.isEmpty()) {
      throw new ArchiveException(
          "The archive is damaged: file " + missing.getFirst() + " is not in it.", null);
    }
  }

  private static Set<BlobId> inputs(JobSpec spec) {
    Set<BlobId> files = new HashSet<>();
    for (Stage stage : spec.stages()) {
      stage.inputs().forEach(input -> files.add(input.blob()));
    }
    return files;
  }

  private static void addFiles(TaskImported.Attempt attempt, Set<BlobId> files) {
    for (CapturedOutput output : List.of(attempt.report().stdout(), attempt.report().stderr())) {
      BlobId blob = output.blob();
      if (blob != null) {
        files.add(blob);
      }
    }
    attempt.report().results().stream().map(ResultFile::blob).forEach(files::add);
  }
}
