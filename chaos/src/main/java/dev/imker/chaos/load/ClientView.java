package dev.imker.chaos.load;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.chaos.check.SubmittedJob;
import dev.imker.chaos.check.Told;
import dev.imker.chaos.cluster.JavaCommand;
import dev.imker.chaos.cluster.Pause;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.ApiException;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.client.context.PoolContext;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Clients that look at jobs and wait for them, and what they were told. */
final class ClientView implements AutoCloseable {
  private static final int NOT_FOUND = 404;

  private final PoolContext context;
  private final Path folder;
  private final Supplier<List<SubmittedJob>> acknowledged;
  private final BooleanSupplier stopping;
  private final List<Told> told = new CopyOnWriteArrayList<>();
  private volatile @Nullable Process waits;

  ClientView(
      PoolContext context,
      Path folder,
      Supplier<List<SubmittedJob>> acknowledged,
      BooleanSupplier stopping) {
    this.context = context;
    this.folder = folder;
    this.acknowledged = acknowledged;
    this.stopping = stopping;
  }

  List<Told> told() {
    return List.copyOf(told);
  }

  void forget(Predicate<Told> gone) {
    told.removeIf(gone);
  }

  /** Looks at jobs, old and new ones. */
  void observe(String who) {
    Random random = new Random(who.hashCode());
    try (ApiClient api = new ApiClient(context)) {
      while (!stopping.getAsBoolean()) {
        List<SubmittedJob> jobs = acknowledged.get();
        if (!jobs.isEmpty()) {
          int last = jobs.size() - 1;
          SubmittedJob job = jobs.get(Math.max(0, last - random.nextInt(Math.min(12, last + 1))));
          look(api, who, job);
        }
        Pause.millis(PoolLoad.PAUSE_MILLIS);
      }
    }
  }

  private void look(ApiClient api, String who, SubmittedJob job) {
    long asked = System.currentTimeMillis();
    try {
      JsonNode view = api.get("/api/v1/jobs/" + job.id().value());
      told.add(told(who, asked, job, view));
    } catch (ApiException e) {
      if (e.status() == NOT_FOUND) {
        told.add(Told.nothing(who, asked, job.id(), "unknown"));
      }
    } catch (ImkerException e) {
      Pause.millis(PoolLoad.PAUSE_MILLIS);
    }
  }

  private static Told told(String who, long asked, SubmittedJob job, JsonNode view) {
    return new Told(
        who,
        asked,
        System.currentTimeMillis(),
        job.id(),
        view.path("status").asText(),
        view.path("counts").path("done").asInt());
  }

  /** {@code imker wait}, as a process of its own: it has to come back, and with the truth. */
  void await() {
    int next = 0;
    SubmittedJob again = null;
    while (!stopping.getAsBoolean()) {
      List<SubmittedJob> jobs = acknowledged.get();
      if (again == null && next >= jobs.size()) {
        Pause.millis(PoolLoad.PAUSE_MILLIS);
        continue;
      }
      SubmittedJob job = again == null ? jobs.getLast() : again;
      again = null;
      next = jobs.size();
      long asked = System.currentTimeMillis();
      Path out = folder.resolve("logs/wait.out");
      try {
        Process process =
            ClientEnvironment.of(
                    context,
                    new ProcessBuilder(
                        JavaCommand.imker(
                            List.of("wait", Long.toString(job.id().value()), "--json"))))
                .redirectOutput(out.toFile())
                .redirectError(Redirect.appendTo(folder.resolve("logs/wait.err").toFile()))
                .start();
        waits = process;
        int exit = process.waitFor();
        JsonNode view = ApiClient.json().readTree(Files.readString(out));
        if (view != null && view.has("status")) {
          told.add(told("wait", asked, job, view));
        } else if (exit == ExitCodes.NO_SERVER) {
          again = job; // nobody was there when it began; later it would have waited
        } else if (exit != 0 && !stopping.getAsBoolean()) {
          told.add(Told.nothing("wait", asked, job.id(), "exit code " + exit));
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  @Override
  public void close() {
    Process process = waits;
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
