package dev.imker.agent.internal.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** All runs of a host, each on a thread of its own. */
final class HostRuns {
  private static final long WATCH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final FrameChannel agent;
  private final Map<Long, HostRun> running = new ConcurrentHashMap<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(Thread.ofPlatform().daemon().name("task-", 1).factory());
  private final Requests requests;
  private volatile ClassLoader library = ClassLoader.getPlatformClassLoader();

  HostRuns(FrameChannel agent) {
    this.agent = agent;
    this.requests = new Requests(agent);
    TaskLog.captureOutput();
    threads.execute(CpuClock::warmUp);
    threads.execute(ThreadCores::warmUp);
    Thread.ofPlatform().daemon().name("watch").start(this::watch);
  }

  void library(List<Path> jars) {
    library = new LibraryLoader(jars);
  }

  void begin(long number, Work work) {
    HostRun run = new HostRun(number, work, library, this);
    running.put(number, run);
    threads.execute(run);
  }

  void cancel(long number) {
    HostRun run = running.get(number);
    if (run != null) {
      run.cancel();
    }
  }

  void follow(long number, boolean on) {
    HostRun run = running.get(number);
    if (run != null) {
      run.follow(on);
    }
  }

  void wrote(long number, long offset, byte[] text) {
    send(
        FrameType.LOG,
        number,
        FrameChannel.content(
            out -> {
              out.writeLong(offset);
              FrameChannel.writeBytes(out, text);
            }));
  }

  void outcome(long number, int sub, byte[] outcome) {
    HostRun run = running.get(number);
    if (run != null) {
      run.context().subTasks().outcome(sub, outcome);
    }
  }

  void waiting(long number, boolean on) {
    send(FrameType.WAITING, number, FrameChannel.content(out -> out.writeBoolean(on)));
  }

  void checkpoint(long number, int call, byte[] value) {
    send(
        FrameType.CHECKPOINT,
        number,
        FrameChannel.content(
            out -> {
              out.writeInt(call);
              FrameChannel.writeBytes(out, value);
            }));
  }

  Requests requests() {
    return requests;
  }

  /** A thread of a run goes on although it was told to end. */
  void stuck(long number) {
    send(FrameType.STUCK, number, new byte[0]);
  }

  /** Looks for calls that take too long; time in which the host was frozen does not count. */
  private void watch() {
    long seen = System.nanoTime();
    while (true) {
      LockSupport.parkNanos(WATCH_NANOS);
      long now = System.nanoTime();
      long passed = Math.min(now - seen, 2 * WATCH_NANOS);
      seen = now;
      running.values().forEach(run -> run.watch(passed));
    }
  }

  void ended(long number, Ended end) {
    running.remove(number);
    send(FrameType.ENDED, number, end.toBytes());
  }

  void progress(long number, double fraction, String text) {
    send(
        FrameType.PROGRESS,
        number,
        FrameChannel.content(
            out -> {
              out.writeDouble(fraction);
              out.writeUTF(text);
            }));
  }

  /** Without the agent there is nothing to do. */
  private void send(FrameType type, long number, byte[] content) {
    try {
      agent.send(type, number, content);
    } catch (IOException e) {
      Runtime.getRuntime().halt(1);
    }
  }
}
