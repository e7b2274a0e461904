package dev.imker.server;

import dev.imker.model.connection.JoinLines;
import dev.imker.server.backup.PoolBackup;
import dev.imker.server.check.LiveCheck;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.commands.Rechecks;
import dev.imker.server.drop.DropFolders;
import dev.imker.server.drop.PlaceOpener;
import dev.imker.server.gateway.AgentGateway;
import dev.imker.server.gateway.GatewaySettings;
import dev.imker.server.gateway.ResultCheck;
import dev.imker.server.http.Callers;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.HttpFront;
import dev.imker.server.http.LeaderRelay;
import dev.imker.server.http.OwnWork;
import dev.imker.server.http.RateLimit;
import dev.imker.server.http.RequestMeter;
import dev.imker.server.internal.audit.AuditLog;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.server.internal.auth.Authenticator;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.JobSecrets;
import dev.imker.server.internal.auth.JoinTokens;
import dev.imker.server.internal.auth.PasswordLogin;
import dev.imker.server.internal.auth.PoolSecrets;
import dev.imker.server.internal.auth.Quotas;
import dev.imker.server.internal.columns.ColumnKeeper;
import dev.imker.server.internal.coord.TaskCoordinator;
import dev.imker.server.internal.data.PoolDataSets;
import dev.imker.server.internal.kinds.TaskKinds;
import dev.imker.server.internal.notify.NoticeOffice;
import dev.imker.server.internal.notify.QueueAlarm;
import dev.imker.server.internal.rest.OpenApi;
import dev.imker.server.internal.rest.RestInterface;
import dev.imker.server.internal.rest.changes.Changes;
import dev.imker.server.internal.rest.jobs.JobIntake;
import dev.imker.server.internal.rest.jobs.KindRoutes;
import dev.imker.server.internal.rest.overview.Pulse;
import dev.imker.server.internal.rest.plan.PlannedJobRoutes;
import dev.imker.server.internal.rest.plan.PlannedJobs;
import dev.imker.server.internal.rest.pool.CertificateRoutes;
import dev.imker.server.internal.rest.pool.ServerRoutes;
import dev.imker.server.internal.rest.request.RouteParts;
import dev.imker.server.internal.rest.users.PairingRoutes;
import dev.imker.server.internal.retention.Retention;
import dev.imker.server.internal.settings.DiskReserve;
import dev.imker.server.internal.settings.PoolSettings;
import dev.imker.server.internal.settings.RequestRate;
import dev.imker.server.internal.tls.CertificateRenewal;
import dev.imker.server.join.JoinScripts;
import dev.imker.server.loop.LoopShell;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.loop.WorkMeter;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.server.loop.pulse.SteadyClock;
import dev.imker.server.members.LeaderWork;
import dev.imker.server.members.Membership;
import dev.imker.server.members.PoolIdentity;
import dev.imker.server.members.ServerVersion;
import dev.imker.server.page.PageRoutes;
import dev.imker.server.plan.PlanMemory;
import dev.imker.server.update.AgentRelease;
import dev.imker.store.PoolStore;
import dev.imker.store.blobs.BlobStore;
import dev.imker.wire.WireOptions;
import dev.imker.wire.connect.Acceptor;
import dev.imker.wire.lan.LanAddresses;
import dev.imker.wire.lan.LanAnnouncement;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles and starts the parts of a server, and stops them in reverse order. */
public final class ImkerServer implements RunningServer {
  private static final Logger LOG = LoggerFactory.getLogger(ImkerServer.class);

  /** How long a lost connection of an agent may take to come back as if nothing was. */
  private static final Duration RESUME_WITHIN = Duration.ofSeconds(3);

  /** A leader that hangs is left by its agents about when another one leads. */
  private static final int PING_MILLIS = 1_000;

  /** So long a file in a drop folder has to stay the same before it is taken. */
  private static final long DROP_QUIET_MILLIS = 1_000;

  private final ServerSettings settings;
  private final Clock clock = Clock.systemUTC();
  private final Instant started = clock.instant().truncatedTo(ChronoUnit.SECONDS);
  private final Clock scheduling;
  private final Deque<Runnable> closers = new ArrayDeque<>();
  private final PoolSecrets secrets;
  private final Authenticator authenticator;
  private final Optional<CertificateRenewal> certificate;
  private final Entrance entrance;
  private final HttpFront front;
  private final HttpServer http;
  private final AgentRelease release = new AgentRelease();
  private final Membership membership;
  private final SchedulerLoop loop;
  private final PairingRoutes pairing;
  private volatile boolean closed;

  /**
   * Starts a server; on return it listens. One of several waits for their database, and the store
   * of their files, if that is away.
   *
   * @throws PortInUseException if another program listens on the port
   * @throws dev.imker.store.sqlite.FolderInUseException if another server uses the data folder
   */
  public static RunningServer start(ServerSettings settings) {
    return start(settings, SteadyClock.ofMachine());
  }

  /** As above, by another clock: what waits for a time to come, comes when that clock says so. */
  public static RunningServer start(ServerSettings settings, Clock scheduling) {
    return settings.shared().isOn()
        ? PatientStart.of(() -> new ImkerServer(settings, scheduling))
        : new ImkerServer(settings, scheduling);
  }

  private ImkerServer(ServerSettings settings, Clock scheduling) {
    this.settings = settings;
    this.scheduling = scheduling;
    this.membership = new Membership(settings.shared());
    try {
      Storage storage = new Storage(settings);
      PoolStore store = storage.openStore();
      closers.push(store::close);
      closers.push(membership::close);
      store
          .setting(PoolBackup.RESTORED)
          .ifPresent(when -> LOG.warn("This pool was restored on {}", when));
      BlobStore blobs = storage.openBlobs();
      closers.push(blobs::close);
      if (settings.shared().isOn()) {
        PoolIdentity.share(settings.dataFolder(), store, clock);
      }
      secrets = PoolSecrets.open(settings.dataFolder(), store);
      Accounts accounts = new Accounts(store.accounts(), clock.millis());
      authenticator = new Authenticator(secrets, store, accounts, clock);
      PasswordLogin passwords = new PasswordLogin(accounts, clock);
      certificate = certificate(store);
      certificate.ifPresent(own -> closers.push(own::close));
      entrance = new Entrance(settings, secrets, certificate, membership, this::port);
      PrometheusMeterRegistry scraped = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
      MeterRegistry registry = registry(scraped);
      JobSecrets jobSecrets =
          new JobSecrets(
              store,
              settings.dataFolder(),
              PoolIdentity.secret(settings.dataFolder()),
              !settings.shared().isOn());
      AgentGateway gateway = gateway(blobs, store, accounts, jobSecrets);
      ColumnKeeper columns =
          new ColumnKeeper(settings.dataFolder().resolve("columns"), store.reads());
      closers.push(columns::close);
      Changes changes = new Changes(columns);
      loop = startLoop(store, gateway, changes, registry);
      var _ = blobs.failure().thenAccept(loop::endBy);
      StoreProbe probe = new StoreProbe(store);
      closers.push(probe::close);
      Vertx vertx = vertx();
      WireOptions wire =
          WireOptions.defaults()
              .withResumeWithin(RESUME_WITHIN)
              .withMaxSessions(settings.maxAgents());
      Acceptor acceptor = new Acceptor(vertx, gateway.directory(), wire, gateway);
      closers.push(() -> acceptor.close("the server is stopping"));
      PoolDataSets dataSets = new PoolDataSets(store, blobs);
      Retention retention = retention(store, blobs, loop, dataSets);
      PoolSettings pool = new PoolSettings(store, jobSecrets);
      QueueAlarm queue = new QueueAlarm(loop, store, pool, clock, registry);
      DiskReserve disk = new DiskReserve(pool, storage.folders());
      JobIntake intake = JobIntake.of(loop, store, blobs, accounts, dataSets, disk, clock);
      PlanMemory plans = new PlanMemory(store, clock);
      PlannedJobs planned = new PlannedJobs(intake, store, blobs, loop, accounts, changes, plans);
      DropFolders drops =
          new DropFolders(
              new DropFolders.Parts(loop, store, blobs, intake, dataSets, accounts, clock),
              PlaceOpener.ALL,
              DROP_QUIET_MILLIS);
      TaskCoordinator coordinator = coordinator(store, loop, changes);
      List<Endpoint> endpoints =
          new ArrayList<>(
              RestInterface.endpoints(
                  new RouteParts(
                      settings.poolName(),
                      ServerVersion.TEXT,
                      entrance::urls,
                      entrance::joinToken,
                      entrance::joinLines,
                      loop,
                      store,
                      blobs,
                      gateway,
                      changes,
                      scraped,
                      accounts,
                      authenticator,
                      passwords,
                      jobSecrets,
                      disk,
                      retention,
                      dataSets,
                      coordinator,
                      clock),
                  drops,
                  startPulse(loop, changes, store)));
      endpoints.addAll(new PlannedJobRoutes(planned).endpoints());
      TaskKinds kinds = TaskKinds.load(settings.dataFolder().resolve("kinds"));
      endpoints.addAll(new KindRoutes(kinds, store.reads()).endpoints());
      endpoints.addAll(new ServerRoutes(register(loop), new LiveCheck(loop)).endpoints());
      endpoints.addAll(new CertificateRoutes(certificate).endpoints());
      pairing =
          new PairingRoutes(
              new JoinTokens(store),
              authenticator,
              loop,
              entrance::joinToken,
              entrance::fingerprint,
              clock);
      endpoints.addAll(pairing.endpoints());
      PoolMeters.bind(registry, membership, loop, blobs, settings.dataFolder());
      certificate.ifPresent(own -> PoolMeters.bind(registry, own));
      endpoints.addAll(new PageRoutes(authenticator, passwords).endpoints());
      endpoints.add(AgentEndpoint.of(acceptor));
      endpoints.addAll(
          new JoinScripts(AgentRelease.ownJar(), ServerVersion.TEXT, entrance::place).endpoints());
      endpoints.addAll(new HealthRoutes(loop, membership, probe).endpoints());
      endpoints.add(OpenApi.route(endpoints));
      front =
          new HttpFront(
              endpoints,
              new Callers(authenticator),
              new RequestMeter(registry),
              new OwnWork(store.reads()),
              new AuditLog(loop, clock),
              membership,
              new LeaderRelay(vertx, certificate.map(own -> own.current().fingerprint())),
              settings.face().proxies(),
              new RateLimit(clock, new RequestRate(pool, clock)));
      LeaderWork work =
          new LeaderWork(
              () -> new UnfinishedImports(store, loop).discard(),
              retention,
              columns,
              drops,
              settings.drops(),
              List.of(
                  () -> notices(store, pool, loop, vertx, queue),
                  planned::begin,
                  coordinator::begin));
      closers.push(work::close);
      Rechecks rechecks = new Rechecks(store, loop);
      closers.push(rechecks::close);
      rechecks.start();
      http =
          new HttpPort(settings, certificate).open(vertx, front.router(vertx), front.watch(), wire);
      closers.push(front::close);
      if (certificate.isPresent()) { // agents on this machine have this very software
        release.prepare(settings.dataFolder(), blobs);
      }
      if (settings.shared().isOn()) {
        membership.join(
            entrance.ownUrls(),
            loop,
            work,
            coordinator,
            gateway::tellServers,
            () -> {
              accounts.reload(store.accounts());
              authenticator.reload();
            },
            front::endLiveStreams);
      } else {
        work.beginNow();
      }
      if (entrance.isAnnounced()) {
        LanAnnouncement announcement =
            new LanAnnouncement(entrance::announced, () -> LanAddresses.of(settings.host()));
        closers.push(announcement::close);
      }
      LOG.info("Listening on {}", address());
    } catch (RuntimeException | Error e) { // no half of a server stays behind
      close();
      throw e;
    }
  }

  // ---------------------------------------------------------------- parts

  private Optional<CertificateRenewal> certificate(PoolStore store) {
    return Addresses.isLoopback(settings.host()) && !settings.alwaysTls()
        ? Optional.empty()
        : Optional.of(
            new CertificateRenewal(
                settings.dataFolder(),
                clock,
                settings.shared().isOn()
                    ? PoolIdentity.sharing(settings.dataFolder(), store)
                    : CertificateRenewal.Sharing.NONE));
  }

  /** Where figures go: to those who ask, and to a collector if one is named. */
  private MeterRegistry registry(PrometheusMeterRegistry scraped) {
    MeterRegistry registry = scraped;
    if (settings.otlp().isPresent()) {
      CompositeMeterRegistry both = new CompositeMeterRegistry();
      both.add(scraped);
      both.add(OtlpMeters.to(settings.otlp().get()));
      closers.push(both::close);
      registry = both;
    }
    closers.push(JvmMeters.bind(registry));
    return registry;
  }

  private AgentGateway gateway(
      BlobStore blobs, PoolStore store, Accounts accounts, JobSecrets jobSecrets) {
    return new AgentGateway(
        new GatewaySettings(
            settings.poolName(),
            ServerVersion.TEXT,
            settings.signOfLifeMillis(),
            settings.scheduler().leaseMillis(),
            settings.shared().isOn() ? PING_MILLIS : 0,
            entrance::urls),
        authenticator::agentToken,
        new JoinTokens(store),
        new ResultCheck(blobs, store.reads(), store.accounts()),
        store::setting,
        store.reads(),
        release,
        jobSecrets,
        accounts::isAdmin,
        new Quotas(accounts, store.accounts())::of);
  }

  private SchedulerLoop startLoop(
      PoolStore store, AgentGateway gateway, Changes changes, MeterRegistry registry) {
    SchedulerLoop loop =
        new SchedulerLoop(
            store,
            settings.scheduler(),
            gateway,
            new WorkMeter(registry, changes, scheduling),
            new LoopMeter(registry),
            scheduling,
            !settings.shared().isOn(),
            LoopShell.ofMachine());
    gateway.connectTo(loop);
    loop.start();
    closers.push(loop::close);
    // Another server is to lead at once, whenever this process comes to its end.
    var _ = loop.failed().thenRunAsync(membership::close);
    return loop;
  }

  private Vertx vertx() {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(HttpPort.eventLoops()));
    closers.push(() -> vertx.close().await());
    return vertx;
  }

  private Retention retention(
      PoolStore store, BlobStore blobs, SchedulerLoop loop, PoolDataSets dataSets) {
    JobCommands jobs = new JobCommands(loop);
    return new Retention(
        store,
        blobs,
        new OwnFiles(store, dataSets, release)::blobs,
        changes -> Await.answer(loop.record(changes)),
        job -> Await.answer(jobs.remove(job)).isDone(),
        scheduling); // a clock of the machine that is set wrong must not make anything old
  }

  private TaskCoordinator coordinator(PoolStore store, SchedulerLoop loop, Changes changes) {
    TaskCoordinator coordinator =
        new TaskCoordinator(
            settings.shared().zookeeper(),
            store.reads(),
            loop,
            changes.shared(),
            changes.outcomes()::sinceFollowed);
    closers.push(coordinator::close);
    return coordinator;
  }

  private Pulse startPulse(SchedulerLoop loop, Changes changes, PoolStore store) {
    Pulse pulse = new Pulse(loop, changes, store, clock);
    pulse.start();
    closers.push(pulse::close);
    return pulse;
  }

  private Runnable notices(
      PoolStore store, PoolSettings pool, SchedulerLoop loop, Vertx vertx, QueueAlarm queue) {
    NoticeOffice office =
        new NoticeOffice(
            new NoticeOffice.Parts(
                loop,
                store.reads(),
                store.notices(),
                pool,
                vertx,
                settings.poolName(),
                entrance::urls,
                authenticator::hookSecret,
                queue,
                clock));
    office.start();
    return office::close;
  }

  private ServerRoutes.Register register(SchedulerLoop loop) {
    return new ServerRoutes.Register() {
      @Override
      public List<ServerRoutes.ServerView> servers() {
        return settings.shared().isOn()
            ? membership.views()
            : List.of(
                new ServerRoutes.ServerView(
                    entrance.ownUrls(),
                    ServerVersion.TEXT,
                    true,
                    loop.epoch(),
                    false,
                    started.toString(),
                    0,
                    0,
                    true));
      }

      @Override
      public boolean drain(String url, boolean drained) {
        return membership.drain(url, drained);
      }
    };
  }

  // ---------------------------------------------------------------- what is known of it

  @Override
  public URI address() {
    return entrance.address();
  }

  @Override
  public int port() {
    return http.actualPort();
  }

  @Override
  public String adminToken() {
    return secrets.adminToken();
  }

  @Override
  public String joinToken() {
    return entrance.joinToken("");
  }

  @Override
  public Optional<String> pairingCode() {
    return entrance.isAnnounced() && !settings.shared().isOn()
        ? Optional.of(pairing.openCode())
        : Optional.empty();
  }

  @Override
  public JoinLines joinLines() {
    return entrance.joinLines("");
  }

  @Override
  public String loginLink() {
    return entrance.loginLink(authenticator.loginTicket(Identity.ADMIN));
  }

  @Override
  public CompletableFuture<Throwable> failure() {
    return loop.failed();
  }

  /** For tests that make it fail. */
  SchedulerLoop loop() {
    return loop;
  }

  List<Endpoint> endpoints() {
    return front.endpoints();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    while (!closers.isEmpty()) {
      try {
        closers.pop().run();
      } catch (RuntimeException e) {
        LOG.warn("A part of the server did not stop cleanly", e);
      }
    }
  }
}
