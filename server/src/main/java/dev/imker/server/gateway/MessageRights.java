package dev.imker.server.gateway;

import dev.imker.model.ImkerException;
import dev.imker.wire.MessageDirectory;
import dev.imker.wire.MessageHandler;
import dev.imker.wire.MessageTypes;
import dev.imker.wire.Session;
import dev.imker.wire.proto.Checkpoint;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.PlatformChanged;
import dev.imker.wire.proto.Progress;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.Waiting;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table of all messages from agents: who may send them, about what, and who handles them. An
 * agent that is not admitted may only send hello.
 */
public final class MessageRights {
  private static final Logger LOG = LoggerFactory.getLogger(MessageRights.class);

  /** Who may send a message, and what it may be about. */
  public enum Right {
    /** Whoever has a join token, as the first message of a connection and never again. */
    FIRST,
    /** An admitted agent, about itself: it names no other, and its leases only as its own. */
    ITSELF,
    /** An admitted agent, about a task that it holds; about another it changes nothing. */
    OWN_TASK
  }

  /** Hears of a session that sent what no agent sends. */
  @FunctionalInterface
  interface Nonsense {
    void sent(Session session, String what, RuntimeException why);
  }

  /** Every message that agents send. The tests of who may send what are made from it. */
  public static final Map<Class<?>, Right> TABLE =
      Map.ofEntries(
          Map.entry(Hello.class, Right.FIRST),
          Map.entry(SignOfLife.class, Right.ITSELF),
          Map.entry(Drain.class, Right.ITSELF),
          Map.entry(PlatformChanged.class, Right.ITSELF),
          Map.entry(Waiting.class, Right.ITSELF),
          Map.entry(Finished.class, Right.OWN_TASK),
          Map.entry(NeedJob.class, Right.OWN_TASK),
          Map.entry(Checkpoint.class, Right.OWN_TASK),
          Map.entry(LogChunk.class, Right.OWN_TASK),
          Map.entry(Progress.class, Right.OWN_TASK),
          Map.entry(Spawn.class, Right.OWN_TASK));

  private final MessageDirectory.Builder directory = MessageTypes.directory();
  private final Nonsense nonsense;

  MessageRights(Nonsense nonsense) {
    this.nonsense = nonsense;
  }

  /** Takes what comes as the first message of a connection. */
  <T> MessageRights onFirst(Class<T> kind, MessageHandler<T> handler) {
    require(kind, TABLE.get(kind) == Right.FIRST);
    directory.on(kind, sane(handler));
    return this;
  }

  /**
   * Takes what admitted agents say.
   *
   * @param handler of a message about tasks has to ask the loop, on its thread, whether the agent
   *     holds the task now
   */
  <T> MessageRights on(Class<T> kind, BiConsumer<AgentChannel, T> handler) {
    require(kind, TABLE.containsKey(kind) && TABLE.get(kind) != Right.FIRST);
    directory.on(
        kind,
        sane(
            (session, message) -> {
              AgentChannel channel = channelOf(session);
              if (channel != null) {
                LockSupport.parkNanos(channel.pace.pauseNanos(message instanceof Finished));
                handler.accept(channel, message);
              } else if (message instanceof Finished finished) {
                Reception.letGo(session, finished);
              }
            }));
    return this;
  }

  private static void require(Class<?> kind, boolean fits) {
    if (!fits) {
      throw new IllegalStateException(
          kind.getSimpleName() + " is not in the table of who may send what, or not so");
    }
  }

  /** A session that sends what no agent sends is closed; nothing else is touched. */
  private <T> MessageHandler<T> sane(MessageHandler<T> handler) {
    return (session, message) -> {
      String what = message.getClass().getSimpleName();
      try {
        handler.handle(session, message);
      } catch (ImkerException e) {
        LOG.warn("{} from {} is not handled: {}", what, session.peerName(), e.getMessage());
      } catch (RuntimeException e) {
        nonsense.sent(session, what, e);
      }
    };
  }

  /** The agent that a session was admitted as; null before the welcome. */
  static @Nullable AgentChannel channelOf(Session session) {
    return session.attachment() instanceof AgentChannel channel ? channel : null;
  }

  MessageDirectory directory() {
    MessageDirectory complete = directory.build();
    complete
        .ofType(MessageTypes.FROM_AGENT)
        .forEach(kind -> require(kind, TABLE.containsKey(kind)));
    return complete;
  }
}
