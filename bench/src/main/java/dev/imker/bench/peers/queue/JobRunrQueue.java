package dev.imker.bench.peers.queue;

import static org.jobrunr.server.BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.BackgroundJobRequest;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;

/** JobRunr with the shortest interval of polling that it allows; by itself it takes 15 s. */
final class JobRunrQueue implements JobQueue {
  static final String SETTINGS =
      "poll interval 5 s (its least), workers as it chooses, server timeout 4 polls";

  /** Does nothing. */
  public record Noop() implements JobRequest {
    @Override
    public Class<NoopHandler> getJobRequestHandler() {
      return NoopHandler.class;
    }
  }

  /** Does nothing, too. */
  public static final class NoopHandler implements JobRequestHandler<Noop> {
    @Override
    public void run(Noop request) {
      Work.noop();
    }
  }

  /** Never ends. */
  public record Endless(String file) implements JobRequest {
    @Override
    public Class<EndlessHandler> getJobRequestHandler() {
      return EndlessHandler.class;
    }
  }

  /** Never ends, either. */
  public static final class EndlessHandler implements JobRequestHandler<Endless> {
    @Override
    public void run(Endless request) throws IOException, InterruptedException {
      Work.endless(request.file());
    }
  }

  JobRunrQueue(DataSource database) {
    var _ =
        JobRunr.configure()
            .useStorageProvider(SqlStorageProviderFactory.using(database))
            .useBackgroundJobServer(
                usingStandardBackgroundJobServerConfiguration().andPollIntervalInSeconds(5))
            .initialize();
  }

  @Override
  public void enqueue(int count) {
    Stream<Noop> all = IntStream.range(0, count).mapToObj(i -> new Noop());
    BackgroundJobRequest.enqueue(all);
  }

  @Override
  public void enqueueEndless(Path file) {
    var _ = BackgroundJobRequest.enqueue(new Endless(file.toString()));
  }

  @Override
  public String unfinished() {
    return "select count(*) from jobrunr_jobs where state in ('ENQUEUED', 'PROCESSING')";
  }
}
