package dev.imker.server.gateway;

import com.google.protobuf.ByteString;
import dev.imker.core.AgentHello;
import dev.imker.core.Outbox;
import dev.imker.model.AgentId;
import dev.imker.model.ImkerException;
import dev.imker.model.Lease;
import dev.imker.server.loop.Command;
import dev.imker.server.loop.LiveJob;
import dev.imker.server.loop.PoolState;
import dev.imker.server.update.AgentRelease;
import dev.imker.wire.Session;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.Refused;
import dev.imker.wire.proto.Welcome;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets agents in, tells them what they have to know, and notes when they leave. */
final class Reception {
  private static final Logger LOG = LoggerFactory.getLogger(Reception.class);
  private static final int PINGS_PER_MILLI = 4;

  private final GatewaySettings settings;
  private final Function<AgentId, String> blobTokens;
  private final AgentRelease release;
  private final AgentChannels channels;
  private final Consumer<Command> loop;

  /**
   * @param blobTokens what agents show when they fetch and store files
   * @param loop takes commands
   */
  Reception(
      GatewaySettings settings,
      Function<AgentId, String> blobTokens,
      AgentRelease release,
      AgentChannels channels,
      Consumer<Command> loop) {
    this.settings = settings;
    this.blobTokens = blobTokens;
    this.release = release;
    this.channels = channels;
    this.loop = loop;
  }

  /** The first message of every connection. */
  void onHello(Session session, Hello message) {
    if (message.getProtocol() != Protocol.VERSION) {
      refuse(
          session,
          "This server speaks version %d of the protocol and the agent version %d: update the older"
                  .formatted(Protocol.VERSION, message.getProtocol())
              + " one.");
      return;
    }
    if (message.getAgentId().isEmpty() || message.getNodeId().isEmpty()) {
      refuse(session, "An agent needs an id of its own and of its node.");
      return;
    }
    try {
      AgentHello hello = Protocol.hello(message);
      AgentChannel channel = new AgentChannel(hello.agent(), session);
      session.attach(channel);
      loop.accept(new Introduce(hello, message, channel));
    } catch (ImkerException e) {
      refuse(session, String.valueOf(e.getMessage()));
    }
  }

  private static void refuse(Session session, String reason) {
    LOG.warn("Refused {}: {}", session.peerName(), reason);
    session.trySend(Refused.newBuilder().setReason(reason).build());
    session.close(reason);
  }

  /** An agent came; what it gets is sent after the welcome. */
  private final class Introduce implements Command {
    private final AgentHello hello;
    private final Hello message;
    private final AgentChannel channel;
    private long epoch;
    private long incarnation;
    private String pause = "";

    /** Jobs whose limits were changed, perhaps while the agent was away. */
    private final Map<Lease, LiveJob> changed = new LinkedHashMap<>();

    Introduce(AgentHello hello, Hello message, AgentChannel channel) {
      this.hello = hello;
      this.message = message;
      this.channel = channel;
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      epoch = pool.epoch();
      incarnation = pool.incarnation();
      pool.lostTerms().heard(hello, message.getLastEpoch(), message.getLastIncarnation());
      pause = pool.terms().of(hello.node()).pause();
      for (Lease lease : hello.held()) {
        LiveJob job = pool.job(lease.task().job());
        if (job != null && job.edition() > 0) {
          changed.put(lease, job);
        }
      }
      pool.introduce(nowMillis, hello, Protocol.keyHash(message), out);
      Map<Lease, Long> paused =
          Protocol.paused(message.getHeldList(), message.getPausedMillisMap());
      pool.scheduler().onPause(nowMillis, hello.agent(), message.getPauseReason(), paused, out);
      channels.introduce(channel);
    }

    @Override
    public void committed() {
      if (!channels.admit(channel)) {
        return;
      }
      channel.send(welcome(hello.agent(), epoch, incarnation, pause));
      changed.forEach(
          (lease, job) ->
              Handouts.describe(channel, job, job.stages().numberOf(lease.task().index())));
      LOG.info("Agent {} on node {} is here", hello.name(), hello.node());
    }

    @Override
    public void failed(RuntimeException why) {
      channels.leave(channel);
      channel.session().close(String.valueOf(why.getMessage()));
    }
  }

  private Welcome welcome(AgentId agent, long epoch, long incarnation, String pause) {
    AgentRelease.Offer offer = release.offer();
    return Welcome.newBuilder()
        .setProtocol(Protocol.VERSION)
        .setPool(settings.poolName())
        .setVersion(settings.version())
        .setEpoch(epoch)
        .setIncarnation(incarnation)
        .setPause(pause)
        .setSignOfLifeMillis((int) settings.signOfLifeMillis())
        .setLeaseMillis((int) settings.leaseMillis())
        .setPingMillis(pingMillis())
        .setBlobToken(blobTokens.apply(agent))
        .setAgentBuild(offer.build())
        .setAgentBuildSignature(ByteString.copyFrom(offer.signature()))
        .setReleaseKey(ByteString.copyFrom(offer.key()))
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
        LOG.info("Agent {} left: {}", channel.agent(), reason);
        pool.scheduler().onDisconnect(nowMillis, channel.agent(), out);
      }
    }

    @Override
    public void failed(RuntimeException why) {
      channels.leave(channel);
    }
  }
}
