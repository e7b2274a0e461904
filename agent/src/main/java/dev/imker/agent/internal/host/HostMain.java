package dev.imker.agent.internal.host;

import dev.imker.agent.internal.host.FrameChannel.Frame;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process that runs Java tasks. It lives as long as its connection to the agent; the end of the
 * connection ends the process immediately.
 */
public final class HostMain {
  /** The agent listens here, in the folder that the process is started in. */
  static final String SOCKET_FILE = "agent";

  /** Name of the environment variable with what the agent knows its host by. */
  static final String SECRET = "IMKER_HOST_SECRET";

  private static final int LOST_AGENT = 4;

  private HostMain() {}

  /** Serves the agent that started this process. */
  public static void main(String[] arguments) throws IOException {
    String secret = System.getenv(SECRET);
    if (secret == null) {
      System.err.println("This program is started by an Imker agent.");
      System.exit(2);
      return;
    }
    try (SocketChannel connection = SocketChannel.open(UnixDomainSocketAddress.of(SOCKET_FILE))) {
      FrameChannel agent = new FrameChannel(connection);
      HostRuns runs = new HostRuns(agent);
      agent.send(FrameType.HERE, 0, secret.getBytes(StandardCharsets.UTF_8));
      for (Frame frame = agent.read(); frame != null; frame = agent.read()) {
        handle(frame, runs);
      }
    } catch (IOException e) {
      System.err.println("The connection to the agent was lost: " + e.getMessage());
    }
    Runtime.getRuntime().halt(LOST_AGENT);
  }

  private static void handle(Frame frame, HostRuns runs) throws IOException {
    try (DataInputStream in = frame.open()) {
      switch (frame.type()) {
        case LIBRARY -> runs.library(jars(in));
        case RUN -> runs.begin(frame.run(), Work.read(in));
        case CANCEL -> runs.cancel(frame.run());
        case FOLLOW -> runs.follow(frame.run(), in.readBoolean());
        case REPLY -> runs.requests().reply(in);
        case OUTCOME -> runs.outcome(frame.run(), in.readInt(), FrameChannel.readBytes(in));
        case HERE, STUCK, ENDED, PROGRESS, REQUEST, WAITING, CHECKPOINT, LOG ->
            throw new IOException("not for a host");
      }
    }
  }

  private static List<Path> jars(DataInputStream in) throws IOException {
    int count = in.readInt();
    List<Path> jars = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jars.add(Path.of(in.readUTF()));
    }
    return jars;
  }
}
