package dev.imker.server.internal.archive;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.model.job.JobSpec;
import dev.imker.server.http.Json;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes jobs into an archive as it reads them: neither tasks nor files are held in memory. */
public record JobExport(Reads reads, BlobStore blobs) {
  private static final int PAGE = 1000;

  /** Writes settled jobs; the stream stays open. */
  public void write(List<JobRecord> jobs, String pool, String now, OutputStream out)
      throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setLevel(Deflater.BEST_SPEED);
    entry(zip, ArchiveFormat.MANIFEST, manifest(jobs, pool, now));
    Set<BlobId> written = new HashSet<>();
    for (JobRecord job : jobs) {
      Set<BlobId> needed = new HashSet<>();
      reads.forEachBlob(job.id(), (blob, size) -> needed.add(blob));
      for (BlobId blob : needed) {
        if (written.add(blob) && blobs.has(blob)) {
          zip.putNextEntry(new ZipEntry(ArchiveFormat.BLOBS + blob.sha256()));
          try (InputStream content = blobs.open(blob)) {
            content.transferTo(zip);
          }
          zip.closeEntry();
        }
      }
    }
    for (JobRecord job : jobs) {
      write(job, zip);
    }
    zip.finish();
  }

  private static ObjectNode manifest(List<JobRecord> jobs, String pool, String now) {
    ObjectNode node = Json.MAPPER.createObjectNode();
    node.put("format", ArchiveFormat.NAME);
    node.put("version", ArchiveFormat.VERSION);
    node.put("pool", pool);
    node.put("exported", now);
    var ids = node.putArray("jobs");
    jobs.forEach(job -> ids.add(job.id().value()));
    return node;
  }

  private void write(JobRecord job, ZipOutputStream zip) throws IOException {
    JobSpec spec = reads.spec(job.id()).orElseThrow();
    String folder = "jobs/" + job.id() + "/";
    ObjectNode node = Json.MAPPER.createObjectNode();
    node.put("id", job.id().value());
    node.put("user", job.project().user());
    node.put("submitted", job.submittedMillis());
    node.put("settled", job.settledMillis());
    node.put("priority", job.priority());
    var counts = node.putObject("counts");
    for (TaskState state : TaskState.values()) {
      counts.put(state.name(), job.countsByState()[state.ordinal()]);
    }
    node.set("spec", Json.MAPPER.valueToTree(spec));
    entry(zip, folder + ArchiveFormat.JOB, node);
    zip.putNextEntry(new ZipEntry(folder + ArchiveFormat.TASKS));
    writeTasks(job.id(), zip);
    zip.closeEntry();
  }

  private void writeTasks(JobId job, ZipOutputStream zip) throws IOException {
    int from = 0;
    while (true) {
      List<TaskRecord> page = reads.tasks(new TaskQuery(job, Set.of(), from, PAGE, true));
      for (TaskRecord task : page) {
        zip.write(Json.bytes(ArchiveFormat.task(task, reads.attempts(task.id()))));
        zip.write('\n');
        from = task.id().index() + 1;
      }
      if (page.size() < PAGE) {
        return;
      }
    }
  }

  private static void entry(ZipOutputStream zip, String name, ObjectNode content)
      throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(Json.bytes(content));
    zip.closeEntry();
  }
}
