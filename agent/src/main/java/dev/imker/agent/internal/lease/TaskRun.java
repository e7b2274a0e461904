package dev.imker.agent.internal.lease;

import dev.imker.agent.internal.process.CorePinning.Place;
import dev.imker.agent.internal.process.ProcessExit;
import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.agent.internal.work.TaskFolder;
import dev.imker.model.job.ExpandedTask;
import dev.imker.model.job.TaskTemplate;
import dev.imker.tasks.values.ByteTable;
import dev.imker.wire.proto.ResultFile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One run of a command: what the runner knows of it. Owned by the runner's thread. */
public final class TaskRun {
  /** Where a run is on its way. */
  public enum Phase {
    PREPARING,
    READY,
    /** With the launchpad: starts with the next free slot. */
    STAGED,
    RUNNING,
    REPORTING,
    OVER
  }

  public final HeldLease held;
  public final TaskTemplate template;
  public Phase phase = Phase.PREPARING;
  public @Nullable TaskFolder folder;
  @Nullable ExpandedTask task;
  public @Nullable TaskProcess process;
  public @Nullable LogTail tail;

  /** What is done for it off the runner's thread at the moment; see {@code SideSteps}. */
  public @Nullable Thread sideStep;

  /** Whether its process, if it had one, is gone. */
  public boolean exited;

  /** Of a Java task: what earlier tasks of its job left, a table. */
  public byte[] javaState = ByteTable.of(List.of());

  /** Of a Java task: how many calls it makes; 0 if it is none of calls. */
  public int javaCalls;

  /** Of a Java task: what its calls kept in earlier attempts, and keep in this one. */
  public Map<Integer, byte[]> javaCheckpoints = Map.of();

  /** Of a Java task: the cores that it has for itself. */
  public Place place = Place.ANYWHERE;

  /** Of a Java task: what it writes while somebody follows it. */
  public final LiveLog liveLog = new LiveLog();

  /** Covers its secrets in what it writes. */
  public final SecretMask mask;

  /** Of a Java task: the files that it has left so far, by their names. */
  final Map<String, ResultFile> files = new TreeMap<>();

  public final FrozenTime frozen = new FrozenTime();
  final SavedValues.Saved saved = new SavedValues.Saved();

  public long readyNanos;
  public long startedMillis;
  public long startedNanos;
  public long diskLookNanos;
  public volatile long diskBytes;
  public volatile long diskLookTookNanos;
  public long checkpointNanos;

  /** Until the next checkpoint; 0 before it was chosen. */
  public long checkpointPauseMillis;

  public volatile boolean saving;

  /** When the server was asked last to keep its files. */
  public long keptNanos;

  /** Of a command: what it said last of how far it has come, and where that was looked for. */
  public String progress = "";

  public long progressBytes;
  public long progressNanos = System.nanoTime();

  /** Longest time it may run; 0 means no limit. Whoever submitted it may change it meanwhile. */
  public long maxRuntimeMillis;

  /** Why it is to end before its time; the first reason counts. */
  public @Nullable Ending ending;

  /** When that was decided. */
  public long endingNanos;

  /** An end that does not come from the process itself. */
  public enum Cause {
    STOPPED,
    OVERTIME,
    /** It used more than the owner of the node allows. */
    OVERRUN,
    GIVEN_BACK,
    /** The server does not know the lease any more: nobody wants to hear of it. */
    FORGOTTEN
  }

  public record Ending(Cause cause, String reason) {}

  public TaskRun(HeldLease held, TaskTemplate template) {
    this.held = held;
    this.template = template;
    this.mask = new SecretMask(held.secrets().values());
    this.maxRuntimeMillis = template.rules().maxRuntimeMillis();
  }

  /** The task with its parameters filled in. */
  public ExpandedTask expanded() {
    ExpandedTask known = task;
    if (known == null) {
      known = template.expand(held.params(), held.lease().task().index() + 1, held.secrets());
      task = known;
    }
    return known;
  }

  /** How long it has run, without the time in which it was frozen. */
  public long ranMillis(long nowNanos) {
    return TimeUnit.NANOSECONDS.toMillis(nowNanos - startedNanos - frozen.nanos(nowNanos));
  }

  /** Of a Java task: it has left a file. */
  public void left(ResultFile file) {
    synchronized (files) {
      files.put(file.getPath(), file);
    }
  }

  /** Of a Java task: the files that it has left so far. */
  public List<ResultFile> savedFiles() {
    synchronized (files) {
      return List.copyOf(files.values());
    }
  }

  public boolean isOver() {
    return phase == Phase.OVER;
  }

  /** What the server itself has stopped it still wants to hear of, whatever it says later. */
  public void endBecause(Cause cause, String reason) {
    boolean stopped = ending != null && ending.cause() == Cause.STOPPED;
    if (ending == null || (cause == Cause.FORGOTTEN && !stopped)) {
      endingNanos = ending == null ? System.nanoTime() : endingNanos;
      ending = new Ending(cause, reason);
    }
  }

  /** How a process ended, with the time of day, and how long it was frozen. */
  public record Exit(ProcessExit process, long endedMillis, long frozenMillis) {}
}
