package dev.imker.server.internal.rest;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.TaskLimits;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.BulkCommands;
import dev.imker.server.commands.JobBatches;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.commands.NodeCommands;
import dev.imker.server.drop.DropFolders;
import dev.imker.server.gateway.Checkpoints;
import dev.imker.server.gateway.TaskProgress;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.OwnWork;
import dev.imker.server.internal.auth.AccountCommands;
import dev.imker.server.internal.auth.JoinTokens;
import dev.imker.server.internal.auth.Quotas;
import dev.imker.server.internal.blackboard.PoolBlackboard;
import dev.imker.server.internal.blackboard.TaskLeases;
import dev.imker.server.internal.library.TaskLibraries;
import dev.imker.server.internal.rest.changes.Settling;
import dev.imker.server.internal.rest.data.BlobRoutes;
import dev.imker.server.internal.rest.data.BoardRoutes;
import dev.imker.server.internal.rest.data.CoordRoutes;
import dev.imker.server.internal.rest.data.CoordinationWaits;
import dev.imker.server.internal.rest.data.DataSetRoutes;
import dev.imker.server.internal.rest.data.LibraryRoutes;
import dev.imker.server.internal.rest.data.RefusedResults;
import dev.imker.server.internal.rest.data.UserFiles;
import dev.imker.server.internal.rest.explain.ExplainRoutes;
import dev.imker.server.internal.rest.failures.FailureRoutes;
import dev.imker.server.internal.rest.jobs.ArchiveRoutes;
import dev.imker.server.internal.rest.jobs.BulkRoutes;
import dev.imker.server.internal.rest.jobs.JobFileRoutes;
import dev.imker.server.internal.rest.jobs.JobGraphs;
import dev.imker.server.internal.rest.jobs.JobInsightRoutes;
import dev.imker.server.internal.rest.jobs.JobIntake;
import dev.imker.server.internal.rest.jobs.JobRoutes;
import dev.imker.server.internal.rest.jobs.JobViews;
import dev.imker.server.internal.rest.jobs.LimitRoutes;
import dev.imker.server.internal.rest.jobs.OutcomeRoutes;
import dev.imker.server.internal.rest.jobs.SelectRoutes;
import dev.imker.server.internal.rest.nodes.AgentKeyRoutes;
import dev.imker.server.internal.rest.nodes.NodeDirectory;
import dev.imker.server.internal.rest.nodes.NodeInsightRoutes;
import dev.imker.server.internal.rest.nodes.NodeRoutes;
import dev.imker.server.internal.rest.nodes.NodeTermsRoutes;
import dev.imker.server.internal.rest.overview.AttentionFinder;
import dev.imker.server.internal.rest.overview.EventRoutes;
import dev.imker.server.internal.rest.overview.OverviewRoutes;
import dev.imker.server.internal.rest.overview.Pulse;
import dev.imker.server.internal.rest.pool.DropRoutes;
import dev.imker.server.internal.rest.pool.HistoryRoutes;
import dev.imker.server.internal.rest.pool.JournalRoutes;
import dev.imker.server.internal.rest.pool.LogRoutes;
import dev.imker.server.internal.rest.pool.PoolRoutes;
import dev.imker.server.internal.rest.pool.ProjectRoutes;
import dev.imker.server.internal.rest.pool.ResourceRoutes;
import dev.imker.server.internal.rest.pool.RetentionRoutes;
import dev.imker.server.internal.rest.pool.SettingRoutes;
import dev.imker.server.internal.rest.pool.SimulationRoutes;
import dev.imker.server.internal.rest.pool.StrategyRoutes;
import dev.imker.server.internal.rest.pool.SystemRoutes;
import dev.imker.server.internal.rest.request.KeptAnswers;
import dev.imker.server.internal.rest.request.RouteParts;
import dev.imker.server.internal.rest.runs.RunRoutes;
import dev.imker.server.internal.rest.runs.UsageRoutes;
import dev.imker.server.internal.rest.tasks.AttestationRoutes;
import dev.imker.server.internal.rest.tasks.Layouts;
import dev.imker.server.internal.rest.tasks.OutputRoutes;
import dev.imker.server.internal.rest.tasks.TaskPages;
import dev.imker.server.internal.rest.tasks.TaskRoutes;
import dev.imker.server.internal.rest.tasks.TaskSearch;
import dev.imker.server.internal.rest.users.JoinRoutes;
import dev.imker.server.internal.rest.users.OidcRoutes;
import dev.imker.server.internal.rest.users.SecretRoutes;
import dev.imker.server.internal.rest.users.SessionRoutes;
import dev.imker.server.internal.rest.users.TokenRoutes;
import dev.imker.server.internal.rest.users.UserRoutes;
import dev.imker.server.internal.settings.PoolSettings;
import dev.imker.server.live.TaskLimitSettings;
import dev.imker.server.loop.StrategySetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

public final class RestInterface {
  private RestInterface() {}

  public static List<Endpoint> endpoints(RouteParts parts, DropFolders drops, Pulse pulse) {
    List<Endpoint> all = new ArrayList<>(work(parts, drops, pulse));
    all.addAll(people(parts));
    return all;
  }

  private static List<Endpoint> work(RouteParts parts, DropFolders drops, Pulse pulse) {
    TaskProgress progress = parts.gateway().progress();
    progress.onNews(job -> parts.changes().jobsChanged(Set.of(job), Set.of()));
    JobViews views = new JobViews(parts.loop(), parts.reads(), progress);
    NodeDirectory directory = new NodeDirectory(parts.store(), parts.loop());
    NodeRoutes nodes = new NodeRoutes(parts.loop(), directory);
    JobCommands commands = new JobCommands(parts.loop());
    TaskPages pages = new TaskPages(parts.loop(), parts.reads(), parts.changes().columns());
    Quotas quotas = new Quotas(parts.accounts(), parts.store().accounts());
    UserFiles files =
        new UserFiles(parts.blobs(), parts.store().accounts(), parts.loop(), parts.clock());
    Function<JobId, List<TaskLimits>> limits = job -> TaskLimitSettings.of(parts.store(), job);
    Function<TaskId, List<InputFile>> checkpoints =
        task -> Checkpoints.saved(parts.store()::setting, task);
    List<Endpoint> all = new ArrayList<>();
    all.addAll(new PoolRoutes(parts).endpoints());
    Settling settling = new Settling(parts.changes(), parts.reads());
    JobIntake intake =
        new JobIntake(
            new JobBatches(parts.loop()),
            parts.reads(),
            parts.blobs(),
            files,
            quotas,
            parts.dataSets(),
            parts.store(),
            parts.disk(),
            directory);
    JobRoutes jobs = new JobRoutes(commands, views, parts.reads(), intake, settling);
    all.addAll(jobs.endpoints());
    all.addAll(
        new JobFileRoutes(parts.blobs(), files, parts.dataSets(), jobs::accept, intake::outlook)
            .endpoints());
    all.addAll(new BulkRoutes(commands, new BulkCommands(parts.loop()), parts.reads()).endpoints());
    all.addAll(
        new JobInsightRoutes(
                new JobGraphs(parts.loop(), parts.reads()), views, parts.reads(), parts.blobs())
            .endpoints());
    all.addAll(
        new OverviewRoutes(
                pulse,
                new AttentionFinder(parts.loop(), parts.store(), parts.blobs(), parts.clock()))
            .endpoints());
    all.addAll(new LimitRoutes(commands, views, intake).endpoints());
    KeptAnswers answers = new KeptAnswers();
    Layouts layouts = new Layouts(parts.loop(), parts.reads());
    all.addAll(new AttestationRoutes(parts.reads(), parts.loop(), layouts, directory).endpoints());
    all.addAll(
        new FailureRoutes(parts.reads(), parts.blobs(), layouts, directory, answers).endpoints());
    all.addAll(
        new RunRoutes(
                parts.reads(),
                parts.store().journal(),
                parts.blobs(),
                layouts,
                directory,
                answers,
                () -> parts.clock().millis())
            .endpoints());
    TaskSearch search = new TaskSearch(parts.loop(), parts.reads(), parts.blobs());
    TaskRoutes tasks =
        new TaskRoutes(
            pages, search, layouts, directory, parts.reads(), progress, limits, checkpoints);
    all.addAll(tasks.endpoints());
    all.addAll(
        new OutputRoutes(parts.reads(), parts.blobs(), parts.gateway(), checkpoints).endpoints());
    all.addAll(new SelectRoutes(parts.reads()).endpoints());
    all.addAll(nodes.endpoints());
    all.addAll(new NodeTermsRoutes(nodes, new NodeCommands(parts.loop())).endpoints());
    all.addAll(new NodeInsightRoutes(nodes, parts.reads(), parts.clock()).endpoints());
    all.addAll(new UsageRoutes(parts.reads(), nodes, parts.gateway().usage()).endpoints());
    all.addAll(new AgentKeyRoutes(parts.loop(), parts.gateway()).endpoints());
    all.addAll(
        new JoinRoutes(
                new JoinTokens(parts.store()),
                parts.authenticator(),
                parts.loop(),
                parts.joinTokens(),
                parts.joinLines(),
                parts.clock())
            .endpoints());
    all.addAll(new ProjectRoutes(parts.loop()).endpoints());
    all.addAll(new ResourceRoutes(parts.loop()).endpoints());
    all.addAll(new HistoryRoutes(parts.loop(), parts.reads(), parts.poolName()).endpoints());
    all.addAll(new SimulationRoutes(parts.loop(), parts.reads(), parts.poolName()).endpoints());
    RefusedResults refused = new RefusedResults();
    CoordinationWaits waits = new CoordinationWaits();
    all.addAll(
        new ExplainRoutes(parts.loop(), parts.reads(), directory, nodes, limits, refused, waits)
            .endpoints());
    all.addAll(new StrategyRoutes(new StrategySetting(parts.loop())).endpoints());
    all.addAll(
        new BlobRoutes(parts.blobs(), files, quotas, parts.disk(), refused, parts.gateway().files())
            .endpoints());
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
        new OutcomeRoutes(parts.changes().outcomes(), views, parts.reads(), parts.loop()::epoch)
            .endpoints());
    all.addAll(
        new BoardRoutes(
                new PoolBlackboard(parts.store().board(), parts.blobs(), quotas),
                parts.blobs(),
                new TaskLeases(parts.reads(), parts.loop()),
                parts.disk(),
                parts.loop(),
                parts.clock())
            .endpoints());
    all.addAll(
        new LibraryRoutes(new TaskLibraries(parts.store()), parts.blobs(), files, parts.clock())
            .endpoints());
    all.addAll(new DropRoutes(drops).endpoints());
    all.addAll(new DataSetRoutes(parts.dataSets(), files, parts.blobs()).endpoints());
    all.addAll(
        new CoordRoutes(parts.coordinator(), new TaskLeases(parts.reads(), parts.loop()), waits)
            .endpoints());
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
    all.addAll(new OidcRoutes(parts, commands).endpoints());
    all.addAll(new UserRoutes(parts.accounts(), commands, parts.store().accounts()).endpoints());
    all.addAll(new SecretRoutes(parts).endpoints());
    all.addAll(new TokenRoutes(parts.accounts(), commands, parts.clock()).endpoints());
    all.addAll(new JournalRoutes(parts.store().journal()).endpoints());
    all.addAll(new RetentionRoutes(parts.retention(), parts.accounts()).endpoints());
    all.addAll(
        new SettingRoutes(
                new PoolSettings(parts.store(), parts.secrets()),
                parts.store().notices(),
                parts.authenticator())
            .endpoints());
    return all;
  }
}
