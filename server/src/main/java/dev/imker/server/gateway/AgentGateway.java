package dev.imker.server.gateway;

import dev.imker.model.AgentId;
import dev.imker.model.BlobId;
import dev.imker.model.Granted;
import dev.imker.model.Lease;
import dev.imker.model.account.AuditEntry;
import dev.imker.model.account.Quota;
import dev.imker.model.change.Audited;
import dev.imker.model.change.Change;
import dev.imker.model.text.SafeText;
import dev.imker.server.internal.auth.JobSecrets;
import dev.imker.server.internal.auth.JoinTokens;
import dev.imker.server.internal.auth.RefusalLimit;
import dev.imker.server.internal.auth.Role;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.AgentLines;
import dev.imker.server.loop.Command;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.update.AgentRelease;
import dev.imker.server.usage.UsageHistory;
import dev.imker.store.Reads;
import dev.imker.wire.CloseReason;
import dev.imker.wire.MessageDirectory;
import dev.imker.wire.Session;
import dev.imker.wire.SessionListener;
import dev.imker.wire.WireLeases;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.Pause;
import dev.imker.wire.proto.Servers;
import dev.imker.wire.proto.SpawnAnswer;
import dev.imker.wire.proto.SpawnOutcome;
import dev.imker.wire.proto.Stop;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Communicates with agents: {@link AgentMessages} turns their messages into commands for the loop,
 * and this class turns orders of the loop into messages.
 */
public final class AgentGateway implements AgentLines, SessionListener {
  private static final Logger LOG = LoggerFactory.getLogger(AgentGateway.class);
  private static final int MAX_AUDIT_CHARS = 300;

  private final AgentChannels channels = new AgentChannels();
  private final LogFollowers followers = new LogFollowers();
  private final AgentMessages messages;
  private final Disclosures disclosures = new Disclosures();
  private final AgentRelease release;
  private final TaskProgress progress = new TaskProgress();
  private final UsageHistory usage = new UsageHistory();
  private final SpawnRequests spawnRequests;
  private final Reception reception;
  private final Handouts handouts;
  private final Executor inputThreads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("imker-inputs-", 1).factory());
  private final RefusalLimit refusals = new RefusalLimit();
  private volatile @Nullable SchedulerLoop loop;

  public AgentGateway(
      GatewaySettings settings,
      BlobTokens blobTokens,
      JoinTokens joins,
      ResultCheck resultCheck,
      Function<String, Optional<String>> kept,
      Reads reads,
      AgentRelease release,
      JobSecrets secrets,
      Predicate<String> admins,
      Function<String, Quota> quotas) {
    Checkpoints checkpoints = new Checkpoints(kept);
    this.release = release;
    this.spawnRequests =
        new SpawnRequests(
            reads,
            quotas,
            inputThreads,
            CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS, inputThreads),
            this::tellSpawner);
    this.messages =
        new AgentMessages(
            resultCheck, checkpoints, followers, progress, usage, spawnRequests, this::tell);
    this.reception =
        new Reception(
            settings, blobTokens, joins, kept, release, channels, this::tell, this::refused);
    this.handouts =
        new Handouts(
            channels, checkpoints, disclosures, reads, secrets, admins, inputThreads, this::tell);
  }

  /** The loop and the gateway need each other; this ties the knot before the first connection. */
  public void connectTo(SchedulerLoop schedulerLoop) {
    loop = schedulerLoop;
    spawnRequests.connectTo(schedulerLoop);
  }

  /** What agents may do with files. */
  public AgentFiles files() {
    SchedulerLoop current = loop;
    if (current == null) {
      throw new IllegalStateException("not connected to a loop");
    }
    return new AgentFiles(current, handouts, disclosures, release);
  }

  private void tellSpawner(AgentId agent, Object message) {
    if (message instanceof SpawnAnswer answer) {
      for (SpawnOutcome outcome : answer.getOutcomesList()) {
        if (BlobId.isValid(outcome.getStdoutSha256())) {
          disclosures.outcome(agent, new BlobId(outcome.getStdoutSha256()));
        }
      }
    }
    channels.send(agent, message);
  }

  public MessageDirectory directory() {
    return messages
        .register(new MessageRights(this::nonsense).onFirst(Hello.class, reception::onHello))
        .directory();
  }

  private void nonsense(Session session, String what, RuntimeException why) {
    AgentChannel channel = MessageRights.channelOf(session);
    String who = channel == null ? "" : channel.agent().value();
    LOG.warn(
        "Disconnecting {} ({}), which sent an invalid message: {}",
        session.peerName(),
        who,
        what,
        why);
    refused(who, what + " that makes no sense", session.peerName());
    session.close(
        "this " + what + " makes no sense: " + SafeText.line(String.valueOf(why.getMessage()), 80));
  }

  /** Keeps in mind who was turned away, and why. */
  private void refused(String who, String why, String address) {
    SchedulerLoop current = loop;
    if (current == null) {
      return;
    }
    long now = System.currentTimeMillis();
    String from = address.replaceFirst("^agent at ", "");
    refusals
        .tryNote(from.replaceFirst(":[0-9]+$", ""), now)
        .ifPresent(
            others ->
                current.recordSoon(
                    new Audited(
                        new AuditEntry(
                            now,
                            who,
                            Role.AGENT.name(),
                            SafeText.line("agent refused: " + why, MAX_AUDIT_CHARS) + others,
                            403,
                            from))));
  }

  /** Takes the connection of an agent away. */
  public void hangUp(AgentId agent, String reason) {
    AgentChannel channel = channels.get(agent);
    if (channel != null) {
      channel.session().close(reason);
    }
  }

  private void tell(Command command) {
    SchedulerLoop current = loop;
    if (current == null) {
      throw new IllegalStateException("not connected to a loop");
    }
    current.tell(command);
  }

  /** How far tasks say that they have come. */
  public TaskProgress progress() {
    return progress;
  }

  /** What tasks and machines used over time. */
  public UsageHistory usage() {
    return usage;
  }

  @Override
  public void committed(List<Change> changes, PoolState pool) {
    spawnRequests.committed(changes, pool);
    progress.committed(changes);
  }

  @Override
  public void closed(Session session, CloseReason reason) {
    AgentChannel channel =
        session.attachment() instanceof Reception.Knocking(AgentChannel claimed)
            ? claimed
            : MessageRights.channelOf(session);
    if (reason.kind() == CloseReason.Kind.PROTOCOL_VIOLATION) {
      String who = channel == null ? "" : channel.agent().value();
      refused(who, "broke the protocol: " + reason.text(), session.peerName());
    }
    if (channel != null) {
      reception.onClosed(channel, reason.text());
    }
  }

  // ---------------------------------------------------------------- to agents

  @Override
  public void assign(
      AgentId agent, Lease lease, int attempt, Granted granted, LiveJob job, boolean undo) {
    handouts.assign(agent, lease, attempt, granted, job, undo);
  }

  @Override
  public void describe(AgentId agent, LiveJob job, int stage) {
    handouts.describe(agent, job, stage);
  }

  @Override
  public void stop(AgentId agent, Lease lease, String reason) {
    channels.send(
        agent, Stop.newBuilder().setLease(WireLeases.of(lease)).setReason(reason).build());
  }

  @Override
  public void recall(AgentId agent, Lease lease) {
    channels.send(
        agent,
        Stop.newBuilder()
            .setLease(WireLeases.of(lease))
            .setReason("It was waiting for a slot here, and another machine has a free one.")
            .setUnlessBegun(true)
            .build());
  }

  @Override
  public void pause(AgentId agent, String why) {
    channels.send(agent, Pause.newBuilder().setWhy(why).build());
  }

  @Override
  public void confirm(AgentId agent, Lease lease, boolean accepted) {
    disclosures.ended(agent, lease);
    channels.send(
        agent, Confirmed.newBuilder().setLease(WireLeases.of(lease)).setAccepted(accepted).build());
  }

  /** The servers of the pool are others now. */
  public void tellServers(List<String> servers) {
    Servers message = Servers.newBuilder().addAllServers(servers).build();
    channels.sendAll(message);
  }

  @Override
  public void hangUpAll(String reason) {
    channels.closeAll(reason);
  }

  // ---------------------------------------------------------------- logs

  /** Begins to read what a running task writes; empty if its agent is not connected. */
  public Optional<LogFeed> follow(AgentId agent, Lease lease, boolean stderr, long offset) {
    AgentChannel channel = channels.get(agent);
    if (channel == null) {
      return Optional.empty();
    }
    LogFeed feed =
        new LogFeed(agent, lease, stderr ? LogChunk.Stream.STDERR : LogChunk.Stream.STDOUT, offset);
    followers.add(feed, channel::send);
    return Optional.of(feed);
  }

  public void unfollow(AgentId agent, LogFeed feed) {
    followers.remove(feed, order -> channels.send(agent, order));
  }
}
