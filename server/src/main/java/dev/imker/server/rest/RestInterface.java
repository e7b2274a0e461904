package dev.imker.server.rest;

import dev.imker.model.JobId;
import dev.imker.model.TaskLimits;
import dev.imker.server.auth.AccountCommands;
import dev.imker.server.auth.Accounts;
import dev.imker.server.auth.Authenticator;
import dev.imker.server.auth.JoinTokens;
import dev.imker.server.auth.PasswordLogin;
import dev.imker.server.auth.Quotas;
import dev.imker.server.blackboard.Blackboard;
import dev.imker.server.blackboard.TaskLeases;
import dev.imker.server.coord.TaskCoordinator;
import dev.imker.server.data.PoolDataSets;
import dev.imker.server.drop.DropFolders;
import dev.imker.server.gateway.AgentGateway;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.OwnWork;
import dev.imker.server.library.TaskLibraries;
import dev.imker.server.loop.BulkCommands;
import dev.imker.server.loop.JobBatches;
import dev.imker.server.loop.JobCommands;
import dev.imker.server.loop.NodeCommands;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.loop.StrategySetting;
import dev.imker.server.loop.TaskLimitSettings;
import dev.imker.server.retention.Retention;
import dev.imker.server.settings.PoolSettings;
import dev.imker.store.BlobStore;
import dev.imker.store.PoolStore;
import dev.imker.store.Reads;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** All routes of the REST interface. */
public final class RestInterface {
  private RestInterface() {}

  public static List<Endpoint> endpoints(RouteParts parts, DropFolders drops, Pulse pulse) {
    List<Endpoint> all = new ArrayList<>(work(parts, drops, pulse));
    all.addAll(people(parts));
    return all;
  }

  private static List<Endpoint> work(RouteParts parts, DropFolders drops, Pulse pulse) {
    JobViews views = new JobViews(parts.loop(), parts.reads());
    NodeDirectory directory = new NodeDirectory(parts.reads(), parts.loop());
    NodeRoutes nodes = new NodeRoutes(parts.loop(), directory);
    JobCommands commands = new JobCommands(parts.loop());
    TaskPages pages = new TaskPages(parts.loop(), parts.reads(), parts.changes().columns());
    Quotas quotas = new Quotas(parts.accounts(), parts.store().accounts());
    UserFiles files = new UserFiles(parts.blobs(), parts.store().accounts(), parts.loop(), parts.clock());
    Function<JobId, List<TaskLimits>> limits = job -> TaskLimitSettings.of(parts.store(), job);
    List<Endpoint> all = new ArrayList<>();
    all.addAll(new PoolRoutes(parts).endpoints());
    Settling settling = new Settling(parts.changes(), parts.reads());
    JobIntake intake =
        new JobIntake(
            new JobBatches(parts.loop()), parts.reads(), parts.blobs(), files, quotas, parts.dataSets());
    JobRoutes jobs = new JobRoutes(commands, views, parts.reads(), intake, settling);
    all.addAll(jobs.endpoints());
    all.addAll(new JobFileRoutes(parts.blobs(), files, parts.dataSets(), jobs::accept).endpoints());
    all.addAll(new BulkRoutes(commands, new BulkCommands(parts.loop()), parts.reads()).endpoints());
    all.addAll(
        new JobInsightRoutes(
                new JobGraphs(parts.loop(), parts.reads()), views, parts.reads(), parts.blobs())
            .endpoints());
    all.addAll(
        new OverviewRoutes(pulse, new AttentionDesk(parts.loop(), parts.reads(), parts.clock()))
            .endpoints());
    all.addAll(new LimitRoutes(commands, views).endpoints());
    TaskRoutes tasks =
        new TaskRoutes(
            pages,
            new Layouts(parts.loop(), parts.reads()),
            directory,
            parts.reads(),
            parts.gateway().progress(),
            limits);
    all.addAll(tasks.endpoints());
    all.addAll(new OutputRoutes(parts.reads(), parts.blobs(), parts.gateway()).endpoints());
    all.addAll(new SelectRoutes(parts.reads()).endpoints());
    all.addAll(nodes.endpoints());
    all.addAll(new NodeTermsRoutes(nodes, new NodeCommands(parts.loop())).endpoints());
    all.addAll(new NodeInsightRoutes(nodes, parts.reads(), parts.clock()).endpoints());
    all.addAll(new AgentKeyRoutes(parts.loop(), parts.gateway()).endpoints());
    all.addAll(
        new JoinRoutes(
                new JoinTokens(parts.store()),
                parts.authenticator(),
                parts.loop(),
                parts.joinTokens(),
                parts.clock())
            .endpoints());
    all.addAll(new ProjectRoutes(parts.loop()).endpoints());
    all.addAll(new HistoryRoutes(parts.loop(), parts.reads(), parts.poolName()).endpoints());
    all.addAll(new PlannerRoutes().endpoints());
    all.addAll(new SimulationRoutes(parts.loop(), parts.reads(), parts.poolName()).endpoints());
    all.addAll(new ExplainRoutes(parts.loop(), parts.reads(), directory, nodes, limits).endpoints());
    all.addAll(new StrategyRoutes(new StrategySetting(parts.loop())).endpoints());
    all.addAll(new BlobRoutes(parts.blobs(), files, quotas, parts.gateway().files()).endpoints());
    all.addAll(
        new EventRoutes(
                parts.changes(),
                views,
                nodes,
                new OwnWork(parts.reads()),
                parts.reads(),
                parts.loop()::epoch)
            .endpoints());
    all.addAll(
        new OutcomeRoutes(parts.changes().outcomes(), parts.reads(), parts.loop()::epoch).endpoints());
    all.addAll(
        new BoardRoutes(
                new Blackboard(parts.store().board(), parts.blobs(), quotas),
                parts.blobs(),
                new TaskLeases(parts.reads()),
                parts.loop(),
                parts.clock())
            .endpoints());
    all.addAll(
        new LibraryRoutes(new TaskLibraries(parts.store()), parts.blobs(), files, parts.clock())
            .endpoints());
    all.addAll(new DropRoutes(drops).endpoints());
    all.addAll(new DataSetRoutes(parts.dataSets(), files, parts.blobs()).endpoints());
    all.addAll(new CoordRoutes(parts.coordinator(), new TaskLeases(parts.reads())).endpoints());
    all.addAll(new ArchiveRoutes(parts, commands, files, quotas).endpoints());
    all.addAll(new SystemRoutes(parts.registry(), parts.authenticator()).endpoints());
    all.addAll(new LogRoutes().endpoints());
    return all;
  }

  private static List<Endpoint> people(RouteParts parts) {
    AccountCommands commands =
        new AccountCommands(
            parts.accounts(),
            changes -> Await.answer(parts.loop().record(List.of(changes))),
            parts.clock());
    List<Endpoint> all = new ArrayList<>();
    all.addAll(new SessionRoutes(parts, commands).endpoints());
    all.addAll(new UserRoutes(parts.accounts(), commands, parts.store().accounts()).endpoints());
    all.addAll(new TokenRoutes(parts.accounts(), commands, parts.clock()).endpoints());
    all.addAll(new JournalRoutes(parts.store().journal()).endpoints());
    all.addAll(new RetentionRoutes(parts.retention(), parts.accounts()).endpoints());
    all.addAll(
        new SettingRoutes(new PoolSettings(parts.store()), parts.store().notices(), parts.authenticator())
            .endpoints());
    return all;
  }
}
