package dev.imker.agent.internal.lease;

import dev.imker.agent.internal.cache.BlobCache;
import dev.imker.agent.internal.cache.BlobSource;
import dev.imker.model.job.InputFile;
import dev.imker.wire.proto.Checkpoint;
import dev.imker.wire.proto.ResultFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Values that Java tasks keep for their next attempt, one file each at the server. What is kept
 * while another is being sent waits; of several for the same call the last one counts.
 */
public record SavedValues(JavaReports reports, Uplink uplink, BlobCache cache, BlobSource source) {
  private static final Logger LOG = LoggerFactory.getLogger(SavedValues.class);
  private static final String PREFIX = "checkpoint-";
  private static final String SUFFIX = ".cbor";

  public static boolean isOne(InputFile input) {
    return input.path().startsWith(PREFIX) && input.path().endsWith(SUFFIX);
  }

  /** What earlier attempts kept, by the position of the call. */
  public Map<Integer, byte[]> of(TaskRun run) throws IOException, InterruptedException {
    Map<Integer, byte[]> values = new HashMap<>();
    for (InputFile input : run.held.inputs()) {
      if (isOne(input)) {
        String path = input.path();
        int call = Integer.parseInt(path, PREFIX.length(), path.length() - SUFFIX.length(), 10);
        values.put(call, Files.readAllBytes(cache.fetch(input.blob(), source)));
        run.saved.files.put(call, file(input));
      }
    }
    return values;
  }

  private static ResultFile file(InputFile input) {
    return ResultFile.newBuilder()
        .setPath(input.path())
        .setSha256(input.blob().sha256())
        .setSize(input.size())
        .build();
  }

  /** What a run has kept so far. */
  static final class Saved {
    private final Map<Integer, ResultFile> files = new HashMap<>();
    private final Map<Integer, byte[]> unsent = new HashMap<>();
    private final List<Runnable> afterwards = new ArrayList<>();
    private boolean sending;
  }

  /** Does something once all that a run has kept is on its way. */
  public static void afterwards(TaskRun run, Runnable then) {
    synchronized (run.saved) {
      if (run.saved.sending) {
        run.saved.afterwards.add(then);
        return;
      }
    }
    then.run();
  }

  public void save(TaskRun run, int call, byte[] value) {
    synchronized (run.saved) {
      run.saved.unsent.put(call, value);
      if (run.saved.sending) {
        return;
      }
      run.saved.sending = true;
    }
    Thread.ofVirtual().name("imker-checkpoint").start(() -> send(run));
  }

  private void send(TaskRun run) {
    try {
      for (Map<Integer, byte[]> next = next(run); !next.isEmpty(); next = next(run)) {
        store(run, next);
        Checkpoint.Builder checkpoint = Checkpoint.newBuilder().setLease(run.held.wire());
        synchronized (run.saved) {
          checkpoint.addAllFiles(run.saved.files.values());
        }
        uplink.trySend(checkpoint.build());
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("Could not save a value of task {}", run.held.lease().task(), e);
      synchronized (run.saved) {
        run.saved.sending = false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      tellAfterwards(run);
    }
  }

  /** Whoever waits for the values goes on, whatever became of them. */
  private static void tellAfterwards(TaskRun run) {
    List<Runnable> then;
    synchronized (run.saved) {
      run.saved.sending = false;
      then = List.copyOf(run.saved.afterwards);
      run.saved.afterwards.clear();
    }
    then.forEach(Runnable::run);
  }

  private void store(TaskRun run, Map<Integer, byte[]> values)
      throws IOException, InterruptedException {
    for (Map.Entry<Integer, byte[]> value : values.entrySet()) {
      ResultFile file =
          ResultFile.newBuilder()
              .setPath(PREFIX + value.getKey() + SUFFIX)
              .setSha256(reports.store(run, value.getValue()))
              .setSize(value.getValue().length)
              .build();
      synchronized (run.saved) {
        run.saved.files.put(value.getKey(), file);
      }
    }
  }

  private static Map<Integer, byte[]> next(TaskRun run) {
    synchronized (run.saved) {
      Map<Integer, byte[]> next = new HashMap<>(run.saved.unsent);
      run.saved.unsent.clear();
      run.saved.sending = !next.isEmpty();
      return next;
    }
  }
}
