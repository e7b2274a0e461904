package dev.imker.agent.internal.host;

import dev.imker.agent.internal.host.FrameChannel.Frame;
import dev.imker.agent.internal.host.HostListener.Loss;
import dev.imker.agent.internal.platform.TaskUser;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.agent.internal.work.FolderSize;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A host from the agent's point of view: its process, its connection, its runs. */
final class HostProcess {
  /** How long a disconnected host may take to end by itself. */
  private static final int ENDING_SECONDS = 3;

  private static final Logger LOG = LoggerFactory.getLogger(HostProcess.class);
  private static final long HEARING_SECONDS = 10;
  private static final long DISK_LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MAX_WORDS = 300;
  private static final int MAX_READ = 8_192;

  /** The exit code of Java for a lack of memory. */
  private static final int OUT_OF_MEMORY = 3;

  private final long number;
  private final Path folder;
  private final String secret;
  private final ServerSocketChannel socket;
  private final Optional<TaskUser> user;
  private final CompletableFuture<FrameChannel> connected = new CompletableFuture<>();
  private final Map<Long, HostListener> runs = new ConcurrentHashMap<>();

  /** All messages of the host have been processed. */
  private final CompletableFuture<Void> heard = new CompletableFuture<>();

  private volatile @Nullable TaskProcess process;
  private volatile boolean gone;

  /** Set if a run did not end when told to, or used too much: the host gets no further work. */
  private volatile boolean stuck;

  /** Nobody needs it: it gets no further work. */
  private volatile boolean retired;

  private volatile long idleSinceNanos = System.nanoTime();

  /** What lies in its folder before tasks put anything there. */
  private volatile long libraryBytes;

  private final AtomicBoolean measuring = new AtomicBoolean();
  private volatile long measuredNanos = System.nanoTime();

  HostProcess(
      long number,
      Path folder,
      String secret,
      ServerSocketChannel socket,
      Optional<TaskUser> user) {
    this.user = user;
    this.socket = socket;
    this.number = number;
    this.folder = folder;
    this.secret = secret;
  }

  Path folder() {
    return folder;
  }

  /** Its output; next to its folder, where no task can replace it. */
  Path output() {
    return folder.resolveSibling(number + ".out");
  }

  Path complaints() {
    return folder.resolveSibling(number + ".err");
  }

  /** Its user, if not the agent's own. */
  Optional<TaskUser> user() {
    return user;
  }

  String secret() {
    return secret;
  }

  void started(TaskProcess started) {
    process = started;
  }

  boolean isUsable() {
    return !gone && !stuck && !retired;
  }

  boolean isIdle() {
    return runs.isEmpty();
  }

  long idleSinceNanos() {
    return idleSinceNanos;
  }

  /** Completes when the process has said that it is there, or exceptionally when it never will. */
  CompletableFuture<FrameChannel> connected() {
    return connected;
  }

  /** Reads what the host says, until it ends; on a thread of its own. */
  void serve(FrameChannel channel) {
    connected.complete(channel);
    try {
      for (Frame frame = channel.read(); frame != null; frame = channel.read()) {
        handle(channel, frame);
      }
      heard.complete(null);
      endSoon();
    } catch (SocketException e) { // it was killed with something unread
      heard.complete(null);
      endSoon();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Host {} sent a message that cannot be read; ending it", number, e);
      heard.complete(null);
      kill();
    }
  }

  /** It has hung up, so it is ending; how, its exit tells, unless it takes too long. */
  private void endSoon() {
    CompletableFuture.delayedExecutor(ENDING_SECONDS, TimeUnit.SECONDS)
        .execute(
            () -> {
              if (!gone) {
                kill();
              }
            });
  }

  private void handle(FrameChannel channel, Frame frame) throws IOException {
    HostListener listener = runs.get(frame.run());
    if (listener == null) {
      return;
    }
    try (DataInputStream in = frame.open()) {
      switch (frame.type()) {
        case ENDED -> {
          Ended ended = Ended.read(in); // one that cannot be read leaves the run to be lost
          if (runs.remove(frame.run(), listener)) {
            noteIdle();
            listener.ended(ended);
          }
        }
        case STUCK -> stuck = true;
        case PROGRESS -> listener.progress(in.readDouble(), in.readUTF());
        case WAITING -> listener.waits(in.readBoolean());
        case LOG -> listener.wrote(in.readLong(), FrameChannel.readBytes(in));
        case CHECKPOINT -> listener.checkpoint(in.readInt(), FrameChannel.readBytes(in));
        case REQUEST -> {
          long request = in.readLong();
          Requests.Kind kind = Requests.Kind.values()[in.readByte()];
          byte[] content = FrameChannel.readBytes(in);
          listener.asked(
              new HostRequest(
                  kind,
                  content,
                  folder,
                  (granted, answer) -> reply(channel, frame.run(), request, granted, answer),
                  (sub, outcome) -> outcome(channel, frame.run(), sub, outcome)));
        }
        default -> throw new IOException("not for an agent");
      }
    }
  }

  private static void reply(
      FrameChannel channel, long run, long request, boolean granted, byte[] answer) {
    tell(
        channel,
        FrameType.REPLY,
        run,
        out -> {
          out.writeLong(request);
          out.writeBoolean(granted);
          FrameChannel.writeBytes(out, answer);
        });
  }

  private static void outcome(FrameChannel channel, long run, int sub, byte[] outcome) {
    tell(
        channel,
        FrameType.OUTCOME,
        run,
        out -> {
          out.writeInt(sub);
          FrameChannel.writeBytes(out, outcome);
        });
  }

  private static void tell(
      FrameChannel channel, FrameType type, long run, FrameChannel.Content content) {
    try {
      channel.send(type, run, FrameChannel.content(content));
    } catch (IOException e) {
      LOG.debug("An answer came too late: {}", e.getMessage());
    }
  }

  private void noteIdle() {
    if (runs.isEmpty()) {
      idleSinceNanos = System.nanoTime();
      if (stuck) {
        kill();
      }
    }
  }

  void library(List<Path> jars) throws IOException {
    connected
        .join()
        .send(
            FrameType.LIBRARY,
            0,
            FrameChannel.content(
                out -> {
                  out.writeInt(jars.size());
                  for (Path jar : jars) {
                    out.writeUTF(jar.toString());
                  }
                }));
  }

  /** Runs a piece of work; to be called once it is connected. */
  void run(long run, Work work, HostListener listener) {
    runs.put(run, listener);
    FrameChannel channel = connected.getNow(null);
    try {
      if (channel == null || !isUsable()) {
        throw new IOException("it is gone");
      }
      channel.send(FrameType.RUN, run, work.toBytes());
    } catch (IOException e) {
      if (runs.remove(run) != null) {
        listener.lost(
            "The task host could not be reached: " + e.getMessage() + ".",
            Loss.BEFORE_IT_BEGAN,
            false);
      }
    }
  }

  void cancel(long run) {
    FrameChannel channel = connected.getNow(null);
    if (channel != null && runs.containsKey(run)) {
      try {
        channel.send(FrameType.CANCEL, run, new byte[0]);
      } catch (IOException e) {
        kill();
      }
    }
  }

  void follow(long run, boolean on) {
    FrameChannel channel = connected.getNow(null);
    if (channel != null && runs.containsKey(run)) {
      tell(channel, FrameType.FOLLOW, run, out -> out.writeBoolean(on));
    }
  }

  /**
   * A run that was told to end and did not: it is over for the agent, and its host soon.
   *
   * @param atOnce whether the host must not outlive it, because others get what the run held
   */
  void abandon(long run, boolean atOnce) {
    HostListener listener = runs.remove(run);
    if (listener == null) {
      return;
    }
    stuck = true;
    if (atOnce) {
      loseRuns(
          "Another task did not stop when told to, so the host shared with it was terminated",
          Loss.BESIDE_OTHERS,
          false);
      kill();
    }
    listener.lost("It did not stop when told to.", Loss.ALONE, false);
    noteIdle();
  }

  /** Ends it unless it has work; concurrently assigned work comes back. */
  void retire() {
    retired = true; // before the look: whoever gives it work afterwards sees that
    if (runs.isEmpty()) {
      kill();
    } else {
      retired = false;
    }
  }

  void kill() {
    TaskProcess running = process;
    if (running != null) {
      running.kill();
    }
  }

  /** Memory of all that runs in it and of itself; 0 once it is to end. */
  long memoryBytes() {
    TaskProcess running = process;
    return running == null || gone || retired ? 0 : running.memoryBytes();
  }

  /** What is in its folder now is not its tasks'. */
  void noteLibrary() {
    libraryBytes = FolderSize.of(folder);
  }

  /** Ends it if its tasks fill the disk; checked on another thread, because it takes a while. */
  void limitDisk(long bytesOfTask) {
    boolean due = System.nanoTime() - measuredNanos > DISK_LOOK_NANOS;
    if (due && !runs.isEmpty() && measuring.compareAndSet(false, true)) {
      Thread.ofVirtual()
          .name("imker-disk")
          .start(
              () -> {
                try {
                  long taken = FolderSize.of(folder) - libraryBytes;
                  if (taken > bytesOfTask * Math.max(1, runs.size())) {
                    stuck = true;
                    loseRuns(overDisk(bytesOfTask), Loss.ALONE, false);
                    kill();
                  }
                } finally {
                  measuredNanos = System.nanoTime();
                  measuring.set(false);
                }
              });
    }
  }

  private static String overDisk(long bytes) {
    return "Used more than " + (bytes >> 20) + " MB of disk (limit of the node's policy)";
  }

  /** Freezes all that runs in it, or lets it go on. */
  boolean freeze(boolean on) {
    TaskProcess running = process;
    return running != null && running.freeze(on);
  }

  void exited(ProcessExit exit) {
    gone = true;
    try {
      socket.close();
    } catch (IOException e) {
      LOG.debug("Host {}: {}", number, e.getMessage());
    }
    String how = inWords(exit) + lastWords();
    boolean outOfMemory = exit.exitCode() == OUT_OF_MEMORY || exit.outOfMemory();
    Loss alone =
        exit.signal() > 0 && exit.overrun().isEmpty() && !outOfMemory
            ? Loss.KILLED_ALONE
            : Loss.ALONE;
    String why =
        exit.overrun().isEmpty()
            ? "The task host ended " + how + " while the task ran in it"
            : exit.overrun().substring(0, exit.overrun().length() - 1);
    if (connected.completeExceptionally(new IOException("the task host ended " + how))) {
      heard.complete(null);
    }
    // Its last messages may be in transit: results, and values for the next attempt.
    var _ =
        heard
            .orTimeout(HEARING_SECONDS, TimeUnit.SECONDS)
            .whenComplete((_, _) -> loseRuns(why, alone, outOfMemory));
  }

  /** The first line that it complained; why a machine did not start stands there. */
  private String lastWords() {
    for (Path stream : List.of(complaints(), output())) {
      try (InputStream in = Files.newInputStream(stream)) {
        String begin = new String(in.readNBytes(MAX_READ), StandardCharsets.ISO_8859_1);
        Optional<String> line =
            begin.lines().map(String::strip).filter(HostProcess::saysWhy).findFirst();
        if (line.isPresent()) {
          String words = line.get();
          return " (" + words.substring(0, Math.min(MAX_WORDS, words.length())) + ")";
        }
      } catch (IOException e) {
        LOG.debug("Host {} ended without a message", number, e);
      }
    }
    return "";
  }

  private static boolean saysWhy(String line) {
    return !line.isEmpty() && !line.startsWith("Error occurred during initialization");
  }

  private static String inWords(ProcessExit exit) {
    if (exit.signal() > 0) {
      return "by signal " + exit.signal();
    }
    String code = "with exit code " + exit.exitCode();
    return exit.exitCode() == OUT_OF_MEMORY
        ? code + ", as when its memory does not suffice (withMemoryMegabytes gives more),"
        : code;
  }

  private void loseRuns(String why, Loss alone, boolean outOfMemory) {
    String reason = why + "; " + runs.size() + " ran in its task host.";
    Loss loss = runs.size() == 1 ? alone : Loss.BESIDE_OTHERS;
    for (Long run : List.copyOf(runs.keySet())) {
      HostListener listener = runs.remove(run);
      if (listener != null) {
        listener.lost(reason, loss, outOfMemory);
      }
    }
  }
}
