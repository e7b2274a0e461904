package dev.imker.server.internal.rest.jobs;

import dev.imker.jobfile.JobFileWriter;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.ResultFile;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.JobSpec;
import dev.imker.model.text.SafePath;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.request.AnswerStream;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import dev.imker.store.blobs.BlobStore;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Further views of a job: its graph, its job file, all of its results. */
public record JobInsightRoutes(JobGraphs graphs, JobViews views, Reads reads, BlobStore blobs) {
  private static final int PAGE = 500;
  private static final int PIECE_BYTES = 64 << 10;
  private static final int MIN_DIGITS = 4;

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/jobs/{id}/graph", Access.LOOK, this::graph),
        Endpoint.get("/api/v1/jobs/{id}/jobfile", Access.LOOK, this::jobFile),
        Endpoint.get("/api/v1/jobs/{id}/results.zip", Access.LOOK, this::archive));
  }

  private void graph(Exchange exchange) throws IOException, InterruptedException {
    JobId job = JobRoutes.jobId(exchange);
    exchange.json(200, graphs.of(job, views.require(job).counts().byState()));
  }

  private void jobFile(Exchange exchange) throws IOException {
    JobId job = JobRoutes.jobId(exchange);
    JobSpec whole = reads.spec(job).orElseThrow(() -> JobViews.unknown(job));
    String select = exchange.query("select").orElse("");
    JobSpec part = select.isEmpty() ? whole : JobPart.of(job, whole, select);
    long memory = exchange.queryNumber("memory", 0, 0, Long.MAX_VALUE);
    JobSpec spec = memory == 0 ? part : JobPart.withMemory(part, memory);
    exchange.bytes(
        200,
        "application/yaml; charset=utf-8",
        JobFileWriter.write(spec).getBytes(StandardCharsets.UTF_8));
  }

  // ---------------------------------------------------------------- results

  private void archive(Exchange exchange) throws IOException, InterruptedException {
    JobView job = views.require(JobRoutes.jobId(exchange));
    exchange
        .response()
        .putHeader(
            "Content-Disposition", "attachment; filename=\"job-" + job.id() + "-results.zip\"");
    exchange.startStream(200, "application/zip");
    OutputStream out = new BufferedOutputStream(new AnswerStream(exchange), PIECE_BYTES);
    ZipOutputStream zip = new ZipOutputStream(out);
    zip.setLevel(Deflater.BEST_SPEED);
    int digits = Math.max(MIN_DIGITS, Integer.toString(job.tasks()).length());
    write(new JobId(job.id()), digits, zip);
    zip.finish();
    out.flush();
    exchange.end();
  }

  private void write(JobId job, int digits, ZipOutputStream zip) throws IOException {
    int from = 0;
    while (true) {
      List<TaskRecord> page = reads.tasks(new TaskQuery(job, Set.of(), from, PAGE, true));
      for (TaskRecord task : page) {
        int number = task.id().index() + 1;
        write(task, ("%0" + digits + "d/").formatted(number), zip);
        from = number;
      }
      if (page.size() < PAGE) {
        return;
      }
    }
  }

  private void write(TaskRecord task, String folder, ZipOutputStream zip) throws IOException {
    AttemptReport report = task.last() == null ? null : task.last().report();
    if (report == null) {
      return;
    }
    write(report.stdout(), folder + "stdout", zip);
    write(report.stderr(), folder + "stderr", zip);
    for (ResultFile file : report.results()) {
      boolean taken = file.path().equals("stdout") || file.path().equals("stderr");
      if (!taken && SafePath.isSafe(file.path())) {
        write(file.blob(), folder + file.path(), zip);
      }
    }
  }

  private void write(CapturedOutput output, String name, ZipOutputStream zip) throws IOException {
    BlobId blob = output.blob();
    if (blob != null) {
      write(blob, name, zip);
    } else if (output.size() > 0) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(output.inline());
      zip.closeEntry();
    }
  }

  private void write(BlobId blob, String name, ZipOutputStream zip) throws IOException {
    if (!blobs.has(blob)) {
      return;
    }
    zip.putNextEntry(new ZipEntry(name));
    try (InputStream content = blobs.open(blob)) {
      content.transferTo(zip);
    }
    zip.closeEntry();
  }
}
