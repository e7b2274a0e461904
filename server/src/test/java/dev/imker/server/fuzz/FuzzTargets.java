package dev.imker.server.fuzz;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.jobfile.JobFileReader;
import dev.imker.jobfile.files.CsvTable;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.internal.form.PlatformExpression;
import dev.imker.jobfile.tsv.TsvReader;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.Selector;
import dev.imker.model.TaskRange;
import dev.imker.model.change.RecordChange;
import dev.imker.model.connection.JoinToken;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Placeholders;
import dev.imker.model.sweep.SweepParser;
import dev.imker.model.text.SafePath;
import dev.imker.model.text.SafeText;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.PddlException;
import dev.imker.server.gateway.GatewayInputs;
import dev.imker.server.http.Json;
import dev.imker.server.internal.archive.JobImport;
import dev.imker.server.internal.rest.jobs.JobBodies;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.store.blobs.BlobStore;
import dev.imker.wire.WireInputs;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * All that reads what strangers wrote. Each either understands it or refuses it in words. {@code
 * ./imker fuzz} has Jazzer look for inputs that do neither, one target after the other: what an
 * input of one reaches says nothing of the others.
 */
public final class FuzzTargets {
  static final String TARGET = "imker.fuzz.target";

  private static final JobFiles NO_FILES = JobFiles.in(Path.of("/nonexistent"));
  private static final Target CHOSEN = Target.valueOf(System.getProperty(TARGET, "FRAME"));
  private static final Set<String> FIELDS = Set.of("a", "b", "c");
  private static final BlobStore NO_BLOBS =
      (BlobStore)
          Proxy.newProxyInstance(
              BlobStore.class.getClassLoader(),
              new Class<?>[] {BlobStore.class},
              (_, _, _) -> {
                throw new IOException("files are not kept here");
              });

  private FuzzTargets() {}

  /** Reads one kind of input. */
  enum Target {
    FRAME,
    MESSAGE,
    BODY,
    JOB_BODY,
    AGENT_PLATFORM,
    JOB_FILE,
    TABLE_OF_TASKS,
    CSV,
    PLATFORM,
    PDDL,
    SWEEP,
    SELECTOR,
    RANGES,
    PATH,
    JOIN_TOKEN,
    PLACEHOLDERS,
    ARCHIVE,
    RAW_ARCHIVE;

    void read(byte[] data) throws IOException, InterruptedException {
      String text = new String(data, StandardCharsets.UTF_8);
      switch (this) {
        case FRAME -> WireInputs.frame(data);
        case MESSAGE -> WireInputs.message(data);
        case BODY -> body(data);
        case AGENT_PLATFORM -> GatewayInputs.platform(text);
        case JOB_BODY -> JobBodies.read(data);
        case JOB_FILE -> JobFileReader.read("job.yaml", data, NO_FILES);
        case TABLE_OF_TASKS -> TsvReader.read("tasks.tsv", data, NO_FILES);
        case CSV -> csv(text);
        case PLATFORM -> PlatformExpression.parse(text);
        case PDDL -> pddl(text);
        case SWEEP ->
            SweepParser.parse(List.of(text), List.of(text.lines().toArray(String[]::new)));
        case SELECTOR -> Selector.parse(text);
        case RANGES -> TaskRange.parse(text);
        case PATH -> path(text);
        case JOIN_TOKEN -> JoinToken.parse(text);
        case PLACEHOLDERS -> Placeholders.expand(text, name -> name);
        case ARCHIVE -> archive(zip(text));
        case RAW_ARCHIVE -> archive(data);
      }
    }
  }

  /** What Jazzer calls. */
  public static void fuzzerTestOneInput(byte[] data) throws IOException, InterruptedException {
    read(CHOSEN, data);
  }

  static void read(Target target, byte[] data) throws IOException, InterruptedException {
    try {
      target.read(data);
    } catch (ImkerException e) {
      requireWords(e);
    }
  }

  private static void requireWords(ImkerException e) {
    String words = String.valueOf(e.getMessage());
    if (words.isBlank() || words.equals("null")) {
      throw new AssertionError("refused without a word", e);
    }
  }

  /** Whatever a body is for, it is read field by field. */
  private static void body(byte[] data) {
    JsonNode json = Json.parse(data);
    for (String field : FIELDS) {
      List<Consumer<JsonFields>> ways =
          List.of(
              fields -> fields.text(field),
              fields -> fields.number(field, -5, 100),
              fields -> fields.flag(field, true),
              fields -> fields.map(field),
              fields -> fields.texts(field, 10),
              fields -> fields.choice(field, OnFailure.Way.class, OnFailure.Way.ABORT),
              fields -> fields.list(field, 3, (node, at) -> JsonFields.of(node, at, FIELDS)));
      for (Consumer<JsonFields> way : ways) {
        try {
          way.accept(JsonFields.of(json, "", FIELDS));
        } catch (ImkerException e) {
          requireWords(e);
        }
      }
    }
  }

  private static void csv(String text) {
    try {
      CsvTable.parse(text, null);
    } catch (CsvTable.MalformedException e) {
      return; // refused
    }
  }

  private static void pddl(String text) {
    try {
      Pddl.problem(text, Pddl.domain(text));
    } catch (PddlException e) {
      return; // refused
    }
  }

  private static void path(String text) {
    String safe = SafePath.check(text);
    Path folder = Path.of("/folder");
    require(folder.resolve(safe).normalize().startsWith(folder), "leads out of its folder");
    require(SafeText.line(text).chars().noneMatch(Character::isISOControl), "steers a terminal");
  }

  /** An archive whose parts are those of the text between lines of dashes. */
  private static byte[] zip(String text) throws IOException {
    String[] parts = text.split("\n---\n", 4);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      String[] names = {"manifest.json", "jobs/1/job.json", "jobs/1/tasks.jsonl", "blobs/x"};
      for (int i = 0; i < parts.length; i++) {
        zip.putNextEntry(new ZipEntry(names[i]));
        zip.write(parts[i].getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
      }
    }
    return bytes.toByteArray();
  }

  private static void archive(byte[] data) throws IOException, InterruptedException {
    try {
      new JobImport(NO_BLOBS, new Import()).read(new ByteArrayInputStream(data));
    } catch (IOException e) {
      require(e.getMessage() != null, "refused without a word");
    }
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private static final class Import implements JobImport.Target {
    @Override
    public void requireRoom(long moreBytes) {
      require(moreBytes >= 0, "negative room");
    }

    @Override
    public void brought(BlobId blob, long size) {
      require(size >= 0, "negative size");
    }

    @Override
    public JobSpec spec(JsonNode json) {
      return JobBodies.read(json.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public List<BlobId> missing(Set<BlobId> blobs) {
      return List.of();
    }

    @Override
    public JobId add(
        JobSpec spec, long submittedMillis, long settledMillis, int priority, int[] counts) {
      return new JobId(1);
    }

    @Override
    public void write(List<RecordChange> tasks) {
      require(!tasks.isEmpty(), "nothing to write");
    }

    @Override
    public void complete(List<JobId> jobs) {}

    @Override
    public void discard(List<JobId> jobs) {}
  }
}
