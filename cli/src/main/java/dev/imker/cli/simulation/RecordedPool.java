package dev.imker.cli.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.ServerOptions;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.Granted;
import dev.imker.model.ImkerException;
import dev.imker.model.ProjectId;
import dev.imker.server.history.HistoryReader;
import dev.imker.server.history.HistoryView;
import dev.imker.server.live.PoolResources;
import dev.imker.server.loop.StrategySetting;
import dev.imker.sim.twin.PoolHistory;
import dev.imker.store.sqlite.FolderReads;
import java.nio.file.Path;
import java.time.Duration;

/** Where the simulator's twin gets the recorded life of a pool from. */
final class RecordedPool {
  private RecordedPool() {}

  static PoolHistory ofServer(ServerOptions server, int days) {
    try (ApiClient api = server.connect()) {
      return history(
          ApiClient.json().treeToValue(api.get("/api/v1/history?days=" + days), HistoryView.class));
    } catch (JsonProcessingException e) {
      throw new ImkerException(
          "The server's history cannot be read; is it of the same version?", e);
    }
  }

  /** The pool may run or not; nothing in the folder is changed. */
  static PoolHistory ofFolder(Path folder, int days) {
    try (FolderReads reader = FolderReads.open(folder)) {
      HistoryReader history = new HistoryReader(reader.reads());
      return history(
          history.readLast(
              String.valueOf(folder.toAbsolutePath().normalize().getFileName()),
              reader.setting(StrategySetting.KEY).orElse(StrategySetting.DEFAULT),
              SchedulerSettings.defaults().leaseMillis(),
              new PoolResources(reader::settings).all(),
              Duration.ofDays(days)));
    }
  }

  static PoolHistory history(HistoryView view) {
    return new PoolHistory(
        view.pool(),
        view.strategy(),
        view.fromMillis(),
        view.toMillis(),
        view.leaseMillis(),
        view.resources(),
        view.nodes().stream().map(RecordedPool::node).toList(),
        view.jobs().stream().map(RecordedPool::job).toList());
  }

  private static PoolHistory.Node node(HistoryView.Node node) {
    return new PoolHistory.Node(
        node.name(),
        node.benchmarkMillis(),
        node.slots(),
        node.amounts(),
        node.up().stream()
            .map(span -> new PoolHistory.Span(span.fromMillis(), span.toMillis()))
            .toList());
  }

  private static PoolHistory.Job job(HistoryView.Job job) {
    return new PoolHistory.Job(
        new ProjectId(job.user(), job.project()),
        job.submittedMillis(),
        job.settledMillis(),
        job.tasks(),
        job.runs().stream()
            .map(run -> new PoolHistory.Run(run.node(), run.millis(), Granted.parse(run.granted())))
            .toList());
  }
}
