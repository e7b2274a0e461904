package dev.imker.server.internal.rest.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.change.RecordChange;
import dev.imker.model.job.JobSpec;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.archive.ArchiveException;
import dev.imker.server.internal.archive.JobExport;
import dev.imker.server.internal.archive.JobImport;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.Quotas;
import dev.imker.server.internal.rest.data.RoomWatch;
import dev.imker.server.internal.rest.data.UserFiles;
import dev.imker.server.internal.rest.request.AnswerStream;
import dev.imker.server.internal.rest.request.RouteParts;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.JobRecord;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;

/** {@code /api/v1/export} and {@code /api/v1/import}: finished jobs with results as one file. */
public record ArchiveRoutes(
    RouteParts parts, JobCommands commands, UserFiles files, Quotas quotas) {
  private static final int PIECE_BYTES = 64 << 10;

  /** Jobs that were taken in. */
  public record Imported(List<JobImport.Imported> jobs) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/export", Access.LOOK, this::export),
        Endpoint.post("/api/v1/import", Access.WORK, this::take));
  }

  private void export(Exchange exchange) throws IOException {
    List<JobRecord> jobs = new Selections(parts.reads(), exchange.identity()).jobs(exchange);
    for (JobRecord job : jobs) {
      if (!job.isSettled()) {
        throw ApiException.of(
            409,
            "not_finished",
            "Job %s is not finished; wait for it or cancel it.".formatted(job.id()));
      }
    }
    exchange.startStream(200, "application/zip");
    OutputStream out = new BufferedOutputStream(new AnswerStream(exchange), PIECE_BYTES);
    new JobExport(parts.reads(), parts.blobs())
        .write(jobs, parts.poolName(), Times.iso(parts.clock().millis()), out);
    out.flush();
    exchange.end();
  }

  private void take(Exchange exchange) throws IOException, InterruptedException {
    RoomWatch.require(parts.disk().lack(exchange.announcedLength()));
    try {
      Target target = new Target(exchange.identity());
      exchange.json(201, new Imported(new JobImport(parts.blobs(), target).read(exchange.body())));
    } catch (ArchiveException e) {
      throw ApiException.of(400, "invalid", String.valueOf(e.getMessage()));
    }
  }

  /** Takes jobs in for the caller. */
  private final class Target implements JobImport.Target {
    private final Identity caller;

    Target(Identity caller) {
      this.caller = caller;
    }

    @Override
    public void requireRoom(long moreBytes) {
      quotas.requireStorage(caller.user(), moreBytes);
      RoomWatch.require(parts.disk().lack(0));
    }

    @Override
    public void brought(BlobId blob, long size) throws InterruptedException {
      files.brought(caller, blob, size);
    }

    @Override
    public JobSpec spec(JsonNode json) {
      return JobJson.require(JobJson.read(json));
    }

    @Override
    public List<BlobId> missing(Set<BlobId> blobs) {
      return files.missing(caller, blobs);
    }

    @Override
    public JobId add(
        JobSpec spec, long submittedMillis, long settledMillis, int priority, int[] counts)
        throws InterruptedException {
      return Await.answer(
          commands.addSettled(
              caller.user(), spec, submittedMillis, settledMillis, priority, counts));
    }

    @Override
    public void write(List<RecordChange> tasks) throws InterruptedException {
      SchedulerLoop loop = parts.loop();
      Await.answer(loop.record(tasks));
    }

    @Override
    public void complete(List<JobId> jobs) throws InterruptedException {
      Await.answer(commands.imported(jobs));
    }

    @Override
    public void discard(List<JobId> jobs) throws InterruptedException {
      Await.answer(commands.discard(jobs));
    }
  }
}
