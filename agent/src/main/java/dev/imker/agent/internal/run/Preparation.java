package dev.imker.agent.internal.run;

import dev.imker.agent.internal.cache.BlobCache;
import dev.imker.agent.internal.cache.BlobSource;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.platform.PlatformProbe;
import dev.imker.agent.internal.work.TaskFolder;
import dev.imker.agent.internal.work.WorkArea;
import dev.imker.model.BlobId;
import dev.imker.model.job.InputFile;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/** Places the inputs of tasks in their folders, and fetches missing ones in parallel. */
public final class Preparation {
  private static final int PARALLEL_DOWNLOADS = 4;

  private final BlobCache cache;
  private final BlobSource source;
  private final Semaphore downloads = new Semaphore(PARALLEL_DOWNLOADS);

  public Preparation(BlobCache cache, BlobSource source) {
    this.cache = cache;
    this.source = source;
  }

  /** Fetches what the machine lacks, and lays all inputs of a run into a folder. */
  void prepare(TaskRun run, WorkArea area) throws IOException, InterruptedException {
    Map<String, InputFile> shared = new LinkedHashMap<>();
    run.template
        .inputsFor(PlatformProbe.os(), run.held.params())
        .forEach(input -> shared.put(input.path(), input));
    // A file of this task alone, such as a checkpoint, comes in the place of one of all tasks.
    run.held.inputs().forEach(own -> shared.remove(own.path()));
    lay(run, area, shared.values(), run.held.inputs());
  }

  /**
   * Lays files into a new folder of a run.
   *
   * @param shared files that the run only reads
   * @param own files that it may change
   */
  void lay(TaskRun run, WorkArea area, Collection<InputFile> shared, Collection<InputFile> own)
      throws IOException, InterruptedException {
    fetch(Stream.concat(shared.stream(), own.stream()).toList());
    TaskFolder folder = folder(run, area);
    for (InputFile input : shared) {
      folder.lay(input, cache, source);
    }
    for (InputFile input : own) {
      folder.layWritable(input, cache, source);
    }
  }

  /** The content of a file that is fetched if the machine lacks it. */
  byte[] content(InputFile input) throws IOException, InterruptedException {
    return Files.readAllBytes(cache.fetch(input.blob(), source));
  }

  /** Takes a folder for a run, with the name that its job wants. */
  static TaskFolder folder(TaskRun run, WorkArea area) throws IOException {
    TaskFolder folder = area.take();
    run.folder = folder;
    if (!run.template.rules().folder().isEmpty()) {
      folder.enter(run.expanded().folder());
    }
    return folder;
  }

  /** Fetches those that the machine lacks, several at once. */
  void fetch(List<InputFile> inputs) throws IOException, InterruptedException {
    List<Callable<Void>> fetches = new ArrayList<>();
    for (BlobId blob : inputs.stream().map(InputFile::blob).distinct().toList()) {
      if (!cache.has(blob)) {
        fetches.add(() -> fetch(blob));
      }
    }
    if (fetches.isEmpty()) {
      return;
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> done : threads.invokeAll(fetches)) {
        done.get();
      }
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case RuntimeException runtime -> throw runtime;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }

  @SuppressWarnings("NullAway") // Void has no other value
  private Void fetch(BlobId blob) throws IOException, InterruptedException {
    downloads.acquire();
    try {
      cache.fetch(blob, source);
      return null;
    } finally {
      downloads.release();
    }
  }
}
