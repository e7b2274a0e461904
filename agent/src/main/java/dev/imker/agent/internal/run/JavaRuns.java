package dev.imker.agent.internal.run;

import dev.imker.agent.internal.cache.BlobException;
import dev.imker.agent.internal.home.Boards;
import dev.imker.agent.internal.host.CallRules;
import dev.imker.agent.internal.host.Ended;
import dev.imker.agent.internal.host.HostListener;
import dev.imker.agent.internal.host.HostRequest;
import dev.imker.agent.internal.host.JavaPayload;
import dev.imker.agent.internal.host.JavaTasks;
import dev.imker.agent.internal.host.JavaTasks.HostNeeds;
import dev.imker.agent.internal.lease.JavaReports;
import dev.imker.agent.internal.lease.Reporting;
import dev.imker.agent.internal.lease.SavedFiles;
import dev.imker.agent.internal.lease.SavedValues;
import dev.imker.agent.internal.lease.SetupFailures;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.lease.Uplink;
import dev.imker.agent.internal.policy.CurrentOffer;
import dev.imker.agent.internal.process.TaskProcess;
import dev.imker.agent.internal.work.WorkArea;
import dev.imker.model.Granted;
import dev.imker.model.ImkerException;
import dev.imker.model.TaskId;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.TaskTemplate;
import dev.imker.model.recent.RecentMap;
import dev.imker.tasks.values.ByteTable;
import dev.imker.tasks.values.CallOutcome;
import dev.imker.tasks.values.Failure;
import dev.imker.tasks.values.Values;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs of Java tasks: what {@link TaskRunner} does differently for them. */
public final class JavaRuns {
  /** Values of earlier tasks lie in this folder, one file per task. */
  private static final String STATE_FOLDER = "state/";

  /** What a task itself left lies here when it is to be undone. */
  private static final String DONE_FOLDER = "done/";

  private static final int REMEMBERED = 1_000;
  private static final int TABLES_KEPT = 8;

  /** Megabytes with which a virtual machine starts at all, and that it takes. */
  private static final int MIN_HEAP = 16;

  private static final int MAX_HEAP = 1 << 24;

  record End(Ended ended, JavaReports.Uploaded uploaded, boolean givenBack, boolean outOfMemory) {}

  private final JavaTasks tasks;
  private final Preparation preparation;
  private final JavaReports reports;
  private final Spawning spawning;
  private final SavedValues saved;
  private final SavedFiles savedFiles;
  private final Boards boards;
  private final Uplink uplink;
  private final CurrentOffer offer;

  /** Whether hosts see the folders of tasks; in a sandbox they do not. */
  private final boolean foldersSeen;

  private final Map<TaskId, String> suspects =
      Collections.synchronizedMap(RecentMap.ofNewest(REMEMBERED));

  /** Those that once lost their host while they waited for others. */
  private final Map<TaskId, String> bystanders =
      Collections.synchronizedMap(RecentMap.ofNewest(REMEMBERED));

  private final Map<TaskTemplate, JavaPayload.Calls> tables =
      Collections.synchronizedMap(RecentMap.ofNewest(TABLES_KEPT));

  public JavaRuns(
      JavaTasks tasks,
      Preparation preparation,
      JavaReports reports,
      Spawning spawning,
      SavedValues saved,
      SavedFiles savedFiles,
      Boards boards,
      Uplink uplink,
      CurrentOffer offer,
      boolean foldersSeen) {
    this.tasks = tasks;
    this.preparation = preparation;
    this.reports = reports;
    this.spawning = spawning;
    this.saved = saved;
    this.savedFiles = savedFiles;
    this.boards = boards;
    this.uplink = uplink;
    this.offer = offer;
    this.foldersSeen = foldersSeen;
  }

  JavaTasks hosts() {
    return tasks;
  }

  public Spawning spawning() {
    return spawning;
  }

  /**
   * Whether everything is there that a run needs.
   *
   * @throws ImkerException if the task says nothing that could be run
   */
  boolean isReady(TaskRun run) {
    return !needsFolder(run) && !needsData(run) && tasks.isReady(run.template, hostNeeds(run));
  }

  /** Has everything there that a run needs. */
  void prepare(TaskRun run, WorkArea area) throws IOException, InterruptedException {
    fetchData(run);
    layFiles(run, area);
    tasks.prepare(run.template, hostNeeds(run));
  }

  /** The heap is for all tasks of the kind that can be in a host at a time: they share it. */
  private HostNeeds hostNeeds(TaskRun run) {
    Granted granted = run.held.granted();
    long bytes = granted.of("memory");
    List<String> gpus = TaskEnvironment.gpus(granted);
    long onlyRun = suspects.get(run.held.lease().task()) == null ? 0 : run.held.runNumber();
    if (bytes == 0) {
      return new HostNeeds(0, gpus, onlyRun);
    }
    long byCores =
        (long) offer.cores() * Requirements.HUNDREDTHS / Math.max(1, granted.of("cores"));
    long together = Math.max(1, Math.min(byCores, offer.memoryBytes() / bytes));
    return new HostNeeds(Math.clamp((together * bytes) >> 20, MIN_HEAP, MAX_HEAP), gpus, onlyRun);
  }

  /** The inputs that become files: all but the library. */
  private List<InputFile> files(TaskRun run) {
    JavaPayload payload = tasks.payload(run.template);
    List<InputFile> files = new ArrayList<>();
    for (InputFile input : run.held.inputs()) {
      if (!isState(input) && !SavedValues.isOne(input)) {
        files.add(input);
      }
    }
    for (InputFile input : run.template.inputs()) {
      if (payload.isFile(input)) {
        files.add(input);
      }
    }
    return files;
  }

  private static boolean isState(InputFile input) {
    return input.path().startsWith(STATE_FOLDER) || isDone(input);
  }

  private static boolean isDone(InputFile input) {
    return input.path().startsWith(DONE_FOLDER);
  }

  /** Whether something has to be read before the task can be handed to a host. */
  private boolean needsData(TaskRun run) {
    JavaPayload payload = tasks.payload(run.template);
    JavaPayload.Calls calls = payload.calls();
    return !run.held.inputs().isEmpty()
        || payload.givenInput(run.template).isPresent()
        || (calls != null && isCut(calls) && tables.get(run.template) == null);
  }

  /** Whether parts of it were too large for the payload. */
  private static boolean isCut(JavaPayload.Calls calls) {
    return calls.templates() == null || calls.entries() == null;
  }

  private void fetchData(TaskRun run) throws IOException, InterruptedException {
    JavaPayload.Calls calls = tasks.payload(run.template).calls();
    run.javaCheckpoints = saved.of(run);
    if (calls == null) {
      run.javaState = state(run);
    } else if (isCut(calls) && tables.get(run.template) == null) {
      tables.put(run.template, whole(run.template, calls));
    }
  }

  private JavaPayload.Calls whole(TaskTemplate template, JavaPayload.Calls calls)
      throws IOException, InterruptedException {
    return calls.with(
        calls.templates() != null
            ? calls.templates()
            : content(JavaPayload.templatesInput(template)),
        calls.entries() != null
            ? calls.entries()
            : ByteTable.read(content(JavaPayload.callsInput(template))));
  }

  private byte[] content(Optional<InputFile> input) throws IOException, InterruptedException {
    if (input.isEmpty()) {
      throw new ImkerException("The calls of the job are neither in its payload nor in an input.");
    }
    return preparation.content(input.get());
  }

  private boolean needsFolder(TaskRun run) {
    return !files(run).isEmpty() || !run.template.rules().checkpoints().isEmpty();
  }

  private void layFiles(TaskRun run, WorkArea area) throws IOException, InterruptedException {
    List<InputFile> files = files(run);
    if (!needsFolder(run)) {
      return;
    }
    if (foldersSeen) {
      preparation.lay(run, area, files, List.of());
    } else {
      preparation.lay(run, area, List.of(), files); // they move to a folder of the host
    }
  }

  /** Starts a prepared run; {@code whenEnded} is called on another thread. */
  TaskProcess start(TaskRun run, BitSet cores, Consumer<End> whenEnded, Consumer<Boolean> waits)
      throws IOException {
    JavaPayload payload = tasks.payload(run.template);
    TaskId id = run.held.lease().task();
    Path folder = run.folder == null ? null : run.folder.work();
    JavaTasks.Start start =
        new JavaTasks.Start(
            id.toString(),
            run.held.attempt() + payload.attemptsBefore(),
            folder,
            run.held.previousError(),
            run.javaCheckpoints,
            run.held.isPlain() ? Map.of() : TaskEnvironment.amounts(run.held.granted(), 0),
            offer.lacks(run.held.granted()),
            hostNeeds(run),
            cores,
            body(run, payload));
    return tasks.start(
        run.template, run.held.runNumber(), start, new Listening(run, whenEnded, waits));
  }

  private JavaTasks.Body body(TaskRun run, JavaPayload payload) throws IOException {
    JavaPayload.Calls calls = payload.calls();
    if (calls != null) {
      int number = Integer.parseInt(run.held.params().getFirst());
      JavaPayload.Calls whole = isCut(calls) ? tables.get(run.template) : calls;
      if (whole == null || whole.templates() == null || whole.entries() == null) {
        throw new IOException("the calls of the job were moved; trying again");
      }
      List<byte[]> entries = JavaPayload.slice(whole.entries(), calls.chunk(), number);
      run.javaCalls = entries.size();
      return new JavaTasks.Body.Calls(
          whole.templates(),
          ByteTable.of(entries),
          new CallRules(
              payload.retries() + run.held.losses(),
              payload.retriedOn(),
              calls.limitMillis(),
              calls.patienceMillis()));
    }
    JavaPayload.Action action = payload.action();
    if (action == null) {
      throw new ImkerException("The payload of the Java task has neither calls nor an action.");
    }
    return new JavaTasks.Body.Action(action, run.javaState, run.held.undo());
  }

  /**
   * What the job has, unless the payload says it; what earlier tasks left, in the order of their
   * file names; then what this one did.
   */
  private byte[] state(TaskRun run) throws IOException, InterruptedException {
    List<InputFile> inputs =
        run.held.inputs().stream()
            .filter(JavaRuns::isState)
            .sorted(Comparator.comparing(JavaRuns::isDone).thenComparing(InputFile::path))
            .toList();
    List<byte[]> state = new ArrayList<>();
    Optional<InputFile> given = tasks.payload(run.template).givenInput(run.template);
    if (given.isPresent()) {
      state.add(content(given));
    }
    preparation.fetch(inputs);
    for (InputFile input : inputs) {
      state.add(preparation.content(input));
    }
    return ByteTable.of(state);
  }

  boolean needsUpload(TaskRun run, End end) {
    return !end.givenBack && reports.needsUpload(run, end.ended);
  }

  /** Stores what is too long for a report. */
  End upload(TaskRun run, End end) throws IOException, InterruptedException {
    return new End(end.ended, reports.upload(run, end.ended), false, false);
  }

  /** The end of a run whose results could not be stored. */
  static End lostEnd(Throwable failure) {
    boolean givenBack = failure instanceof BlobException blob && blob.isTemporary();
    return lostEnd(
        "The results could not be stored: " + SetupFailures.inWords(failure), givenBack, false);
  }

  private static End lostEnd(String reason, boolean givenBack, boolean outOfMemory) {
    Ended end = Ended.lost(reason);
    return new End(end, JavaReports.inline(end), givenBack, outOfMemory);
  }

  /** The report of a run, on the runner's thread. */
  Finished report(TaskRun run, End end) {
    Finished.Builder report =
        Finished.newBuilder()
            .setLease(run.held.wire())
            .setStartedMillis(run.startedMillis)
            .setEndedMillis(System.currentTimeMillis())
            .setPausedMillis(run.frozen.millis(System.nanoTime()))
            .setCpuMillis(TimeUnit.NANOSECONDS.toMillis(end.ended.cpuNanos()));
    TaskRun.Ending ending = run.ending;
    if (ending != null) {
      return report
          .setOutcome(Reporting.outcome(ending.cause()))
          .setError(ending.reason())
          .setExitCode(1)
          .build();
    }
    if (end.givenBack) {
      return report.setOutcome(Outcome.GIVEN_BACK).setError(end.ended.error()).build();
    }
    report
        .setOutcome(end.ended.succeeded() ? Outcome.SUCCEEDED : Outcome.FAILED)
        .setExitCode(end.ended.error().isEmpty() ? 0 : 1)
        .setError(end.ended.error())
        .setOutOfMemory(end.outOfMemory && growsWithNeeds(run));
    end.uploaded.addTo(report);
    report.addAllResults(end.ended.succeeded() ? run.savedFiles() : List.of());
    return report.build();
  }

  /** With a heap that the job has fixed more memory would not help. */
  private boolean growsWithNeeds(TaskRun run) {
    return tasks.payload(run.template).memoryMegabytes() == 0;
  }

  private final class Listening implements HostListener {
    private final TaskRun run;
    private final Consumer<End> whenEnded;
    private final Consumer<Boolean> waits;

    /** It waits for others, and so does nothing that could end its host. */
    private volatile boolean idle;

    Listening(TaskRun run, Consumer<End> whenEnded, Consumer<Boolean> waits) {
      this.run = run;
      this.whenEnded = whenEnded;
      this.waits = waits;
    }

    @Override
    public void ended(Ended end) {
      over();
      suspects.remove(run.held.lease().task());
      bystanders.remove(run.held.lease().task());
      Ended covered = run.mask.cover(end);
      whenEnded.accept(new End(covered, JavaReports.inline(covered), false, false));
    }

    /**
     * Of several calls in a host one has brought it down. Those that shared a task are made again
     * one by one; one that had a task of its own gets a host of its own, where only it can fail.
     */
    @Override
    public void lost(String reason, Loss when, boolean outOfMemory) {
      over();
      if (when == Loss.BEFORE_IT_BEGAN) {
        whenEnded.accept(lostEnd(reason, true, false));
      } else if (run.javaCalls > 1) {
        told(CallOutcome.APART.with(new byte[0]), reason);
      } else if (run.javaCalls == 1 && isFailure(when, outOfMemory)) {
        Failure failure = Failure.of("", reason);
        told(CallOutcome.FAILURE.with(Values.encode(failure, "failure")), reason);
      } else {
        // What it waits for may end their host each time, so the second time it gets its own.
        TaskId task = run.held.lease().task();
        boolean suspect = !idle || bystanders.remove(task) != null;
        (suspect ? suspects : bystanders).put(task, reason);
        whenEnded.accept(lostEnd(reason, when == Loss.BESIDE_OTHERS, outOfMemory));
      }
    }

    /** Every call of the run has this outcome. */
    private void told(byte[] outcome, String reason) {
      Ended end =
          new Ended(true, CallOutcome.report(run.javaCalls, outcome), new byte[0], reason, 0);
      whenEnded.accept(new End(end, JavaReports.inline(end), false, false));
    }

    /**
     * Whether a call is to blame for the end of its host and has no attempt left. After a signal,
     * which may have come from elsewhere, it has a second one in any case; and where the lack of
     * memory is answered with more of it, as many as that takes.
     */
    private boolean isFailure(Loss when, boolean outOfMemory) {
      JavaPayload payload = tasks.payload(run.template);
      boolean getsMore = outOfMemory && growsWithNeeds(run) && run.held.granted().of("memory") > 0;
      int retries = payload.retriedOn().isEmpty() ? payload.retries() : 0;
      int least = when == Loss.KILLED_ALONE ? 1 : 0;
      return when != Loss.BESIDE_OTHERS
          && !idle
          && !getsMore
          && run.held.attempt() - run.held.losses() + payload.attemptsBefore()
              > Math.max(retries, least);
    }

    private void over() {
      spawning.forget(run.held.lease());
      tasks.endHost(run.template, hostNeeds(run));
    }

    @Override
    public void progress(double fraction, String text) {
      uplink.trySend(
          Progress.newBuilder()
              .setLease(run.held.wire())
              .setFraction(fraction)
              .setText(run.mask.cover(text))
              .build());
    }

    @Override
    public void waits(boolean on) {
      idle = on;
      waits.accept(on);
    }

    @Override
    public void wrote(long offset, byte[] text) {
      run.liveLog.append(offset, text);
    }

    @Override
    public void checkpoint(int call, byte[] value) {
      saved.save(run, call, value);
    }

    @Override
    public void asked(HostRequest request) {
      try {
        switch (request.question()) {
          case HostRequest.Question.Spawn calls -> spawning.spawn(run, calls, request);
          case HostRequest.Question.Save file -> savedFiles.save(run, file, request);
          case HostRequest.Question.Read read -> boards.read(run.held.lease(), read, request);
          case HostRequest.Question.Write write -> boards.write(run.held.lease(), write, request);
          case HostRequest.Question.Coordinate question ->
              boards.coordinate(
                  run.held.lease(), tasks.payload(run.template).scope(), question, request);
        }
      } catch (IOException | RuntimeException e) {
        request.refuse(String.valueOf(e.getMessage()));
      }
    }
  }
}
