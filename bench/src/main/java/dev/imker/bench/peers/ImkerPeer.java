package dev.imker.bench.peers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.bench.java.ImkerContender;
import dev.imker.bench.pool.NoopJobs;
import dev.imker.bench.pool.PoolProcesses;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import dev.imker.client.Imker;
import dev.imker.client.executor.ImkerExecutor;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A server and agents as processes of their own. */
final class ImkerPeer implements Peer {
  static final String NO_SANDBOX = "sandbox: off\nuser: same\nnetwork: shared\n";

  private interface Load {
    void run(int count) throws Exception;
  }

  private final String name;
  private final String settings;
  private final PoolProcesses pool;
  private final ApiClient api;
  private final Load load;
  private final Runnable client;
  private int workers;

  private ImkerPeer(String name, String settings, PoolProcesses pool, boolean calls)
      throws Exception {
    this.name = name;
    this.settings = settings;
    this.pool = pool;
    this.api = pool.client();
    addWorker();
    if (calls) {
      Imker imker = pool.connect();
      ImkerExecutor executor = imker.executor();
      this.client =
          () -> {
            executor.close();
            imker.close();
          };
      this.load = count -> ImkerContender.calls(executor, count);
    } else {
      this.client = () -> {};
      this.load = this::tasks;
    }
  }

  /** No-op tasks, each with two rows on disk. */
  static ImkerPeer tasks(String name, PoolProcesses pool) throws Exception {
    return new ImkerPeer(
        name,
        "defaults (lease 30 s: how long a silent agent keeps its tasks); one agent with 2 slots;"
            + " REST, general client",
        pool,
        false);
  }

  /** Calls of lambdas through the executor. */
  static ImkerPeer calls(PoolProcesses pool) throws Exception {
    return new ImkerPeer(
        "Imker", "defaults (lease 30 s); SQLite on disk; one agent with 2 slots", pool, true);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String settings() {
    return settings;
  }

  @Override
  public double seconds(int count) throws Exception {
    long start = System.nanoTime();
    load.run(count);
    return (System.nanoTime() - start) / 1e9;
  }

  private void tasks(int count) {
    JsonNode job = api.post("/api/v1/jobs?wait=60", NoopJobs.spec("bench", count));
    if (job.path("counts").path("done").asInt() < count) {
      untilDone(api, job.path("id").asLong(), count);
    }
  }

  /** Submits a job file and waits for its tasks. */
  static void runFile(ApiClient api, String yaml, int count) {
    JsonNode submitted = api.post("/api/v1/jobfiles", Map.of("text", yaml));
    untilDone(api, submitted.at("/jobs/0/id").asLong(), count);
  }

  private static void untilDone(ApiClient api, long job, int count) {
    JsonNode settled = new JobWatch(api, trouble -> {}).untilSettled(job, view -> {});
    if (settled.path("counts").path("done").asInt() != count) {
      throw new IllegalStateException("not all done: " + settled);
    }
  }

  @Override
  public List<Long> processes() {
    return pool.processes();
  }

  @Override
  public void beginEndless(Path file) {
    api.post(
        "/api/v1/jobfiles",
        Map.of(
            "text", "imker: 1\nname: endless\ncommand: echo begun >> " + file + "; sleep 9999\n"));
  }

  @Override
  public void addWorker() throws Exception {
    pool.addNode("worker-" + workers, 2, NO_SANDBOX);
    workers++;
  }

  @Override
  public void killFirstWorker() throws InterruptedException {
    pool.killAgent("worker-0");
  }

  @Override
  public void killAndRestartServer() throws Exception {
    pool.killAndRestartServer();
  }

  @Override
  public void close() {
    client.run();
    api.close();
    pool.close();
  }
}
