package dev.imker.server.internal.rest.tasks;

import dev.imker.model.BlobId;
import dev.imker.model.Lease;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.InputFile;
import dev.imker.server.gateway.AgentGateway;
import dev.imker.server.gateway.LogFeed;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.request.BlobAnswers;
import dev.imker.store.AttemptRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskRecord;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What tasks wrote and write, and the files that came out, or were saved so far.
 *
 * @param checkpoints what attempts of a task have saved
 */
public record OutputRoutes(
    Reads reads,
    BlobStore blobs,
    AgentGateway gateway,
    Function<TaskId, List<InputFile>> checkpoints) {
  private static final String BYTES = "application/octet-stream";
  private static final int PIECE_BYTES = 64 << 10;
  private static final int RESULT_SEGMENTS = 5;
  private static final long POLL_MILLIS = 250;

  /** How long a look at a running task waits for the agent before it is answered. */
  private static final long QUIET_MILLIS = 300;

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/tasks/{task}/stdout", Access.LOOK, e -> output(e, false)),
        Endpoint.get("/api/v1/tasks/{task}/stderr", Access.LOOK, e -> output(e, true)),
        Endpoint.get("/api/v1/tasks/{task}/results/{path*}", Access.LOOK, this::result));
  }

  // ---------------------------------------------------------------- results

  private void result(Exchange exchange) throws IOException {
    TaskId id = TaskRoutes.taskId(exchange);
    TaskRoutes.requireTask(reads, id);
    String path = exchange.pathAfter(RESULT_SEGMENTS);
    BlobId file =
        results(id).stream()
            .filter(result -> result.path().equals(path))
            .map(ResultFile::blob)
            .findFirst()
            .or(() -> saved(id, path))
            .orElseThrow(
                () -> ApiException.notFound("Task " + id + " has no result '" + path + "'."));
    BlobAnswers.send(exchange, blobs, file);
  }

  private Optional<BlobId> saved(TaskId id, String path) {
    return checkpoints.apply(id).stream()
        .filter(file -> file.path().equals(path))
        .map(InputFile::blob)
        .findFirst();
  }

  private List<ResultFile> results(TaskId id) {
    AttemptRecord last = reads.task(id).map(TaskRecord::last).orElse(null);
    AttemptReport report = last == null ? null : last.report();
    return report == null ? List.of() : report.results();
  }

  // ---------------------------------------------------------------- output

  private void output(Exchange exchange, boolean stderr) throws IOException, InterruptedException {
    TaskId id = TaskRoutes.taskId(exchange);
    TaskRoutes.requireTask(reads, id);
    long offset = exchange.queryNumber("offset", 0, 0, Long.MAX_VALUE);
    int attempt = (int) exchange.queryNumber("attempt", 0, 0, Integer.MAX_VALUE);
    boolean follow = exchange.queryFlag("follow");
    if (follow) {
      exchange.startLiveStream(BYTES);
    } else {
      exchange.startStream(200, BYTES);
    }
    new Reader(exchange, id, stderr, follow).stream(attempt, offset);
    exchange.end();
  }

  /** One caller who reads one stream of a task over all its attempts. */
  private final class Reader {
    private final Exchange exchange;
    private final TaskId id;
    private final boolean stderr;
    private final boolean follow;
    private @Nullable AttemptRecord reading;
    private long offset;

    Reader(Exchange exchange, TaskId id, boolean stderr, boolean follow) {
      this.exchange = exchange;
      this.id = id;
      this.stderr = stderr;
      this.follow = follow;
    }

    /**
     * @param attempt that the offset is of; 0 for whichever is the latest
     */
    void stream(int attempt, long firstOffset) throws IOException, InterruptedException {
      AttemptRecord first = TaskRoutes.latest(reads.attempts(id));
      offset = attempt == 0 || (first != null && first.number() == attempt) ? firstOffset : 0;
      reading = first;
      while (!exchange.isGone()) {
        TaskState state = reads.task(id).map(TaskRecord::state).orElse(TaskState.READY);
        AttemptRecord latest = TaskRoutes.latest(reads.attempts(id));
        turnTo(latest);
        if (latest != null && latest.report() != null) {
          writeRest(latest.report());
        } else if (latest != null) {
          readLive(latest);
        }
        if (!follow || state.isSettled()) {
          return;
        }
        Thread.sleep(POLL_MILLIS);
      }
    }

    /** Another attempt writes its output from the beginning. */
    private void turnTo(@Nullable AttemptRecord latest) {
      if (reading != null && latest != null && !reading.token().equals(latest.token())) {
        offset = 0;
      }
      reading = latest;
    }

    private void writeRest(AttemptReport report) throws IOException {
      CapturedOutput output = stderr ? report.stderr() : report.stdout();
      BlobId blob = output.blob();
      if (blob != null) {
        writeBlob(blob);
      } else if (offset < output.inline().length) {
        byte[] inline = output.inline();
        exchange.write(Arrays.copyOfRange(inline, (int) offset, inline.length));
        offset = inline.length;
      }
    }

    private void writeBlob(BlobId blob) throws IOException {
      if (offset >= blobs.size(blob).orElse(0)) {
        return;
      }
      try (InputStream content = blobs.open(blob, offset)) {
        for (byte[] piece = content.readNBytes(PIECE_BYTES);
            piece.length > 0;
            piece = content.readNBytes(PIECE_BYTES)) {
          exchange.write(piece);
          offset += piece.length;
        }
      }
    }

    private void readLive(AttemptRecord attempt) throws IOException, InterruptedException {
      Lease lease = new Lease(id, attempt.token());
      Optional<LogFeed> begun = gateway.follow(attempt.agent(), lease, stderr, offset);
      if (begun.isEmpty()) {
        return;
      }
      LogFeed feed = begun.get();
      try {
        while (!exchange.isGone() && !feed.isOver() && !feed.isBehind()) {
          Optional<byte[]> bytes = feed.next(follow ? POLL_MILLIS : QUIET_MILLIS);
          if (bytes.isPresent() && bytes.get().length > 0) {
            exchange.write(bytes.get());
          } else if (bytes.isEmpty() && (!follow || isOver(attempt))) {
            return;
          }
        }
      } finally {
        offset = feed.offset();
        gateway.unfollow(attempt.agent(), feed);
      }
    }

    private boolean isOver(AttemptRecord attempt) {
      AttemptRecord latest = TaskRoutes.latest(reads.attempts(id));
      return latest == null
          || !Objects.equals(latest.token(), attempt.token())
          || latest.report() != null;
    }
  }
}
