package dev.imker.wire;

import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Checkpoint;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.Pause;
import dev.imker.wire.proto.PlatformChanged;
import dev.imker.wire.proto.Progress;
import dev.imker.wire.proto.Refused;
import dev.imker.wire.proto.Servers;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.SpawnAnswer;
import dev.imker.wire.proto.Stop;
import dev.imker.wire.proto.Waiting;
import dev.imker.wire.proto.Welcome;

/**
 * The numbers of the messages between server and agents (agent.proto). Numbers are never reused:
 * (2, 3) is retired.
 */
public final class MessageTypes {

  /** Type of messages from agents. */
  public static final int FROM_AGENT = 2;

  /** Type of messages from the server. */
  public static final int FROM_SERVER = 3;

  private MessageTypes() {}

  /** A directory with all messages and no handlers yet. */
  public static MessageDirectory.Builder directory() {
    return MessageDirectory.builder()
        .register(FROM_AGENT, 1, Hello.class, Hello.parser())
        .register(FROM_AGENT, 2, SignOfLife.class, SignOfLife.parser())
        .register(FROM_AGENT, 4, Progress.class, Progress.parser())
        .register(FROM_AGENT, 5, LogChunk.class, LogChunk.parser())
        .register(FROM_AGENT, 6, Finished.class, Finished.parser())
        .register(FROM_AGENT, 7, NeedJob.class, NeedJob.parser())
        .register(FROM_AGENT, 8, Drain.class, Drain.parser())
        .register(FROM_AGENT, 9, PlatformChanged.class, PlatformChanged.parser())
        .register(FROM_AGENT, 10, Checkpoint.class, Checkpoint.parser())
        .register(FROM_AGENT, 11, Spawn.class, Spawn.parser())
        .register(FROM_AGENT, 12, Waiting.class, Waiting.parser())
        .register(FROM_SERVER, 1, Welcome.class, Welcome.parser())
        .register(FROM_SERVER, 2, Refused.class, Refused.parser())
        .register(FROM_SERVER, 3, JobDescription.class, JobDescription.parser())
        .register(FROM_SERVER, 4, Assignment.class, Assignment.parser())
        .register(FROM_SERVER, 5, Stop.class, Stop.parser())
        .register(FROM_SERVER, 6, Confirmed.class, Confirmed.parser())
        .register(FROM_SERVER, 7, SignOfLifeReply.class, SignOfLifeReply.parser())
        .register(FROM_SERVER, 8, FollowLog.class, FollowLog.parser())
        .register(FROM_SERVER, 9, SpawnAnswer.class, SpawnAnswer.parser())
        .register(FROM_SERVER, 10, Pause.class, Pause.parser())
        .register(FROM_SERVER, 11, Servers.class, Servers.parser());
  }
}
