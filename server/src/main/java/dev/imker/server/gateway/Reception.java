package dev.imker.server.gateway;

import com.google.protobuf.ByteString;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.Outbox;
import dev.imker.model.ImkerException;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.code.ReleaseCommit;
import dev.imker.model.text.SafeText;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.JoinTokens;
import dev.imker.server.live.AgentKeys;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.Command;
import dev.imker.server.loop.PoolState;
import dev.imker.server.update.AgentRelease;
import dev.imker.store.StoreException;
import dev.imker.wire.Session;
import dev.imker.wire.connect.HelloProof;
import dev.imker.wire.failure.WireException;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.Refused;
import dev.imker.wire.proto.Stop;
import dev.imker.wire.proto.Welcome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Admits agents, tells them what they have to know, and records when they leave. */
final class Reception {
  private static final Logger LOG = LoggerFactory.getLogger(Reception.class);
  private static final int PINGS_PER_MILLI = 4;

  /** What the settings of a pool say of the slots of agents. */
  private static final String MAX_SLOTS = "option.agents.max-slots";

  private static final int MIN_BELIEVED_SLOTS = 64;
  private static final int SLOTS_PER_CORE = 16;
  private static final int MAX_BELIEVED_CORES = 256;

  private final GatewaySettings settings;
  private final BlobTokens blobTokens;
  private final JoinTokens joins;
  private final Function<String, Optional<String>> kept;
  private final AgentRelease release;
  private final AgentChannels channels;
  private final Consumer<Command> loop;
  private final RefusalLog refusals;

  /** Keeps in mind who was turned away. */
  @FunctionalInterface
  interface RefusalLog {
    void refused(String who, String why, String address);
  }

  /** An agent whose software is too old to prove who it is: it is offered the new one, no more. */
  private record UpdateOnly() {}

  /** A connection that claims an id and is not admitted yet: what it says counts for nothing. */
  record Knocking(AgentChannel channel) {}

  /**
   * @param kept reads settings
   * @param loop takes commands
   */
  Reception(
      GatewaySettings settings,
      BlobTokens blobTokens,
      JoinTokens joins,
      Function<String, Optional<String>> kept,
      AgentRelease release,
      AgentChannels channels,
      Consumer<Command> loop,
      RefusalLog refusals) {
    this.settings = settings;
    this.blobTokens = blobTokens;
    this.joins = joins;
    this.kept = kept;
    this.release = release;
    this.channels = channels;
    this.loop = loop;
    this.refusals = refusals;
  }

  /** The first message of every connection. */
  void onHello(Session session, Hello message) {
    if (session.attachment() != null) {
      throw new IllegalArgumentException("a second hello");
    }
    OptionalInt version =
        Protocol.agree(
            Protocol.OLDEST_VERSION,
            Protocol.VERSION,
            message.getOldestProtocol(),
            message.getProtocol());
    if (version.isEmpty()) {
      updateOnly(session, message);
    } else if (!Protocol.isId(message.getAgentId()) || !Protocol.isId(message.getNodeId())) {
      refuse(
          session,
          message,
          "An agent needs an id for itself and its node: letters, digits, dots, - and _,"
              + " at most 128 characters.");
    } else if (!HelloProof.isValid(message, session.challenge())) {
      refuse(session, message, "The agent did not prove that it holds the key it presented.");
    } else {
      introduce(session, message, version.getAsInt());
    }
  }

  private void introduce(Session session, Hello message, int version) {
    try {
      AgentHello said = Protocol.hello(message, this::maxSlots);
      AgentHello hello =
          message.getSlotsSet() || isMoreThanSet(message) ? said : said.withoutSlotLimit();
      if (hello.slots() < message.getSlots()) {
        LOG.warn(
            "Agent {} claims {} slots; accepting {} (imker settings set agents.max-slots=N)",
            hello.agent(),
            Integer.toUnsignedString(message.getSlots()),
            hello.slots());
      }
      JoinTokens.Entry token =
          joins
              .find(session.credential() instanceof Identity joiner ? joiner.user() : "")
              .orElseThrow(() -> new ImkerException("The join token is no longer known."));
      AgentChannel channel = new AgentChannel(hello.agent(), hello.node(), session);
      session.attach(new Knocking(channel));
      loop.accept(new Introduce(hello, message, token, channel, version));
    } catch (StoreException e) {
      // A refusal is for good, and this is not: the agent comes again.
      LOG.warn("{} has to reconnect: {}", session.peerName(), e.getMessage());
      session.close(String.valueOf(e.getMessage()));
    } catch (ImkerException e) {
      refuse(session, message, String.valueOf(e.getMessage()));
    }
  }

  /** The owner of a large machine may say more than an agent is believed. */
  private int maxSlots(Platform platform) {
    int believed =
        Math.max(
            MIN_BELIEVED_SLOTS,
            SLOTS_PER_CORE * Math.clamp(platform.cores(), 1, MAX_BELIEVED_CORES));
    return setMaxSlots().orElse(believed);
  }

  private boolean isMoreThanSet(Hello message) {
    return setMaxSlots()
        .filter(max -> message.getSlots() < 0 || message.getSlots() > max)
        .isPresent();
  }

  /** What an admin said. */
  private Optional<Integer> setMaxSlots() {
    return kept.apply(MAX_SLOTS).filter(text -> !text.isEmpty()).map(Integer::parseInt);
  }

  private void updateOnly(Session session, Hello message) {
    if (message.getProtocol() > Protocol.VERSION || release.offer().build().isEmpty()) {
      refuse(
          session,
          message,
          "This server supports protocol versions %d to %d, the agent uses version %d: update the older one."
              .formatted(
                  Protocol.OLDEST_VERSION,
                  Protocol.VERSION,
                  Integer.toUnsignedLong(message.getProtocol())));
      return;
    }
    LOG.info("Offering {} an update: its version is too old", session.peerName());
    session.attach(new UpdateOnly());
    session.trySend(
        welcome(blobTokens.of("", 0), 0, 0, "").toBuilder()
            .setProtocol(message.getProtocol())
            .build());
    for (var lease : message.getHeldList()) {
      session.trySend(
          Stop.newBuilder()
              .setLease(lease)
              .setReason("the agent is too old and is updating")
              .build());
    }
  }

  /** Lets an agent that only updates itself forget what it has. */
  static void letGo(Session session, Finished message) {
    if (session.attachment() instanceof UpdateOnly) {
      session.trySend(Confirmed.newBuilder().setLease(message.getLease()).build());
    }
  }

  private void refuse(Session session, Hello message, String reason) {
    String who = SafeText.line(message.getAgentId(), Protocol.MAX_NAME_CHARS);
    LOG.warn("Refused {} ({}): {}", session.peerName(), who, reason);
    refusals.refused(who, reason, session.peerName());
    try {
      session.trySend(Refused.newBuilder().setReason(reason).build());
    } catch (WireException e) {
      LOG.debug("{} disconnected before it was refused", session.peerName(), e);
    }
    session.close(reason);
  }

  /** An agent came; what it gets is sent after the welcome. */
  private final class Introduce implements Command {
    private final AgentHello hello;
    private final Hello message;
    private final JoinTokens.Entry token;
    private final AgentChannel channel;
    private final int version;
    private long epoch;
    private long incarnation;
    private long stamp;
    private String pause = "";
    private String refusal = "";

    /** Jobs whose limits were changed, perhaps while the agent was away. */
    private final Map<Lease, LiveJob> changed = new LinkedHashMap<>();

    Introduce(
        AgentHello hello,
        Hello message,
        JoinTokens.Entry token,
        AgentChannel channel,
        int version) {
      this.hello = hello;
      this.message = message;
      this.token = token;
      this.channel = channel;
      this.version = version;
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      epoch = pool.epoch();
      incarnation = pool.incarnation();
      AgentKeys.Entry entry;
      try {
        entry = pool.agents().introduce(nowMillis, hello, Protocol.claim(message), token, out);
      } catch (ImkerException e) {
        refusal = String.valueOf(e.getMessage());
        return;
      }
      stamp = entry.stamp();
      channel.isOn(new NodeId(entry.node()));
      pause = pool.agents().terms().of(new NodeId(entry.node())).pause();
      pool.agents().lostTerms().heard(hello, message.getLastEpoch(), message.getLastIncarnation());
      for (Lease lease : hello.held()) {
        LiveJob job = pool.job(lease.task().job());
        if (job != null && job.edition() > 0) {
          changed.put(lease, job);
        }
      }
      Map<Lease, Long> paused =
          Protocol.byLease(message.getHeldList(), message.getPausedMillisMap());
      pool.scheduler().onPause(nowMillis, hello.agent(), message.getPauseReason(), paused, out);
      pool.agents().standings().introduced(hello, message.getPauseReason()).ifPresent(out::change);
      channels.introduce(channel);
    }

    @Override
    public void committed() {
      if (!refusal.isEmpty()) {
        refuse(channel.session(), message, refusal);
        return;
      }
      if (!channels.admit(channel)) {
        return;
      }
      channel.session().attach(channel); // from now on, and not earlier, it speaks as its agent
      String blobToken = blobTokens.of(hello.agent().value(), stamp);
      channel.send(
          welcome(blobToken, epoch, incarnation, pause).toBuilder().setProtocol(version).build());
      changed.forEach(
          (lease, job) ->
              Handouts.describe(channel, job, job.stages().numberOf(lease.task().index())));
      LOG.info("Agent {} on node {} connected", hello.name(), channel.node());
    }

    @Override
    public void failed(RuntimeException why) {
      channels.leave(channel);
      channel.session().close(String.valueOf(why.getMessage()));
    }
  }

  private Welcome welcome(String blobToken, long epoch, long incarnation, String pause) {
    AgentRelease.Offer offer = release.offer();
    return Welcome.newBuilder()
        .setPool(settings.poolName())
        .setVersion(settings.version())
        .setEpoch(epoch)
        .setIncarnation(incarnation)
        .setPause(pause)
        .setSignOfLifeMillis((int) settings.signOfLifeMillis())
        .setLeaseMillis((int) settings.leaseMillis())
        .setPingMillis(pingMillis())
        .setBlobToken(blobToken)
        .setAgentBuild(offer.build())
        .setAgentCommit(ReleaseCommit.OWN)
        .setAgentBuildSignature(ByteString.copyFrom(offer.signature()))
        .setReleaseKey(ByteString.copyFrom(offer.key()))
        .setOwnerSignature(ByteString.copyFrom(offer.ownerSignature()))
        .addEncodings("zstd")
        .addAllServers(settings.servers().get())
        .build();
  }

  /**
   * Thousands of agents do not have to notice at once: the first that does is the first to work.
   */
  private int pingMillis() {
    return settings.pingMillis() == 0
        ? 0
        : Math.max(settings.pingMillis(), channels.size() / PINGS_PER_MILLI);
  }

  /** A connection is over. */
  void onClosed(AgentChannel channel, String reason) {
    loop.accept(new Leave(channel, reason));
  }

  /** Only the current connection of an agent counts. */
  private final class Leave implements Command {
    private final AgentChannel channel;
    private final String reason;

    Leave(AgentChannel channel, String reason) {
      this.channel = channel;
      this.reason = reason;
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      if (channels.leave(channel)) {
        LOG.info("Agent {} disconnected: {}", channel.agent(), reason);
        pool.scheduler().onDisconnect(nowMillis, channel.agent(), out);
      }
    }

    @Override
    public void failed(RuntimeException why) {
      channels.leave(channel);
    }
  }
}
