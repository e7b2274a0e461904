package dev.imker.store.internal.live;

import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.AttemptStopped;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.JobPhased;
import dev.imker.model.change.JobRemoved;
import dev.imker.model.change.NodeAvailable;
import dev.imker.model.change.NodeProfiled;
import dev.imker.model.change.NodeSeen;
import dev.imker.model.change.ProjectProfiled;
import dev.imker.model.change.RecordChange;
import dev.imker.model.change.SettingPut;
import dev.imker.model.change.SpecChanged;
import dev.imker.model.change.StrategyRemembered;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TaskImported;
import dev.imker.model.change.TasksChanged;
import dev.imker.store.internal.rows.SettingTable;
import dev.imker.store.internal.rows.TaskKey;
import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which rows of the live state were touched. It says what has to be read again, not what the rows
 * contain: reading a row twice, or too many rows, does no harm.
 */
public final class Touched {
  /** Of the text in the log. */
  private static final int VERSION = 1;

  /** What a strategy has learnt about a subject. */
  record Memory(String strategy, String subject) {}

  final Set<Long> jobs = new TreeSet<>();
  final TaskRanges tasks = new TaskRanges();
  final Set<NodeId> nodes = new LinkedHashSet<>();
  final Set<ProjectId> projects = new LinkedHashSet<>();
  final Set<Memory> memories = new LinkedHashSet<>();

  public static Touched by(Collection<? extends Change> changes) {
    Touched touched = new Touched();
    changes.forEach(touched::add);
    return touched;
  }

  private void add(Change change) {
    switch (change) {
      case JobAdded job -> job(job.job());
      case JobChanged job -> job(job.job());
      case JobPhased job -> job(job.job());
      case SpecChanged job -> job(job.job());
      case TaskChanged task -> task(task.task());
      case AttemptStarted start -> task(start.task());
      case AttemptEnded end -> task(end.task());
      case AttemptStopped stop -> task(stop.task());
      case TasksChanged run -> {
        long first = TaskKey.first(run.job());
        tasks.add(first + run.fromIndex(), first + run.toIndexExclusive() - 1);
      }
      case NodeProfiled node -> nodes.add(node.node());
      case ProjectProfiled project -> projects.add(project.project());
      case StrategyRemembered memory ->
          memories.add(new Memory(memory.strategy(), memory.subject()));
      case SettingPut setting -> SettingTable.jobWithLimits(setting.key()).ifPresent(this::job);
      case RecordChange record -> add(record);
      case NodeSeen _, NodeAvailable _ -> {
        // told by nobody when the state is read
      }
    }
  }

  private void add(RecordChange record) {
    if (record instanceof JobRemoved removed) {
      job(removed.job());
    } else if (record instanceof TaskImported imported) {
      job(imported.task().job());
      task(imported.task());
    }
  }

  private void job(JobId job) {
    jobs.add(job.value());
  }

  private void task(TaskId task) {
    long key = TaskKey.of(task);
    tasks.add(key, key);
  }

  public void addAll(Touched others) {
    jobs.addAll(others.jobs);
    tasks.addAll(others.tasks);
    nodes.addAll(others.nodes);
    projects.addAll(others.projects);
    memories.addAll(others.memories);
  }

  /** Receives rows. */
  public interface Rows {
    void job(long job);

    /** Tasks of one job, by their keys, the last one included. */
    void tasks(long first, long last);

    void node(NodeId node);

    void project(ProjectId project);

    void memory(String strategy, String subject);
  }

  /** Passes on all rows, jobs before their tasks. */
  public void tell(Rows rows) {
    jobs.forEach(rows::job);
    for (int i = 0; i < tasks.size(); i++) {
      rows.tasks(tasks.first(i), tasks.last(i));
    }
    nodes.forEach(rows::node);
    projects.forEach(rows::project);
    memories.forEach(memory -> rows.memory(memory.strategy(), memory.subject()));
  }

  // ---------------------------------------------------------------- as bytes

  public byte[] bytes() {
    Writer to = new Writer();
    to.number(VERSION);
    if (isEmpty()) {
      return to.bytes.toByteArray();
    }
    to.number(jobs.size());
    long before = 0;
    for (long job : jobs) {
      to.number(job - before);
      before = job;
    }
    to.number(tasks.size());
    before = 0;
    for (int i = 0; i < tasks.size(); i++) {
      to.number(tasks.first(i) - before);
      to.number(tasks.last(i) - tasks.first(i));
      before = tasks.last(i);
    }
    to.texts(nodes.stream().map(NodeId::value).toList());
    to.texts(projects.stream().map(ProjectId::user).toList());
    to.texts(projects.stream().map(ProjectId::name).toList());
    to.texts(memories.stream().map(Memory::strategy).toList());
    to.texts(memories.stream().map(Memory::subject).toList());
    return to.bytes.toByteArray();
  }

  private boolean isEmpty() {
    return jobs.isEmpty()
        && tasks.isEmpty()
        && nodes.isEmpty()
        && projects.isEmpty()
        && memories.isEmpty();
  }

  /**
   * @throws IllegalArgumentException if this version cannot read it
   */
  public static Touched parse(byte[] bytes) {
    Touched touched = new Touched();
    try {
      Reader from = new Reader(ByteBuffer.wrap(bytes));
      if (from.number() != VERSION) {
        throw new IllegalArgumentException("written by another version");
      }
      if (from.bytes.hasRemaining()) {
        touched.read(from);
      }
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("cut off", e);
    }
    return touched;
  }

  private void read(Reader from) {
    long before = 0;
    for (long left = from.number(); left > 0; left--) {
      before += from.number();
      jobs.add(before);
    }
    before = 0;
    for (long left = from.number(); left > 0; left--) {
      long first = before + from.number();
      before = first + from.number();
      tasks.add(first, before);
    }
    from.texts().forEach(node -> nodes.add(new NodeId(node)));
    List<String> users = from.texts();
    List<String> names = from.texts();
    for (int i = 0; i < users.size(); i++) {
      projects.add(new ProjectId(users.get(i), names.get(i)));
    }
    List<String> strategies = from.texts();
    List<String> subjects = from.texts();
    for (int i = 0; i < strategies.size(); i++) {
      memories.add(new Memory(strategies.get(i), subjects.get(i)));
    }
    if (from.bytes.hasRemaining()) {
      throw new IllegalArgumentException("longer than it should be");
    }
  }

  /** Signed numbers, small ones in few bytes. */
  private static final class Writer {
    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    void number(long value) {
      long rest = (value << 1) ^ (value >> 63);
      while ((rest & ~0x7FL) != 0) {
        bytes.write((int) ((rest & 0x7F) | 0x80));
        rest >>>= 7;
      }
      bytes.write((int) rest);
    }

    void texts(List<String> texts) {
      number(texts.size());
      for (String text : texts) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        number(utf8.length);
        bytes.writeBytes(utf8);
      }
    }
  }

  private record Reader(ByteBuffer bytes) {
    long number() {
      long rest = 0;
      for (int shift = 0; ; shift += 7) {
        byte next = bytes.get();
        rest |= (long) (next & 0x7F) << shift;
        if (next >= 0) {
          return (rest >>> 1) ^ -(rest & 1);
        }
      }
    }

    List<String> texts() {
      List<String> texts = new ArrayList<>();
      for (long left = number(); left > 0; left--) {
        byte[] utf8 = new byte[(int) number()];
        bytes.get(utf8);
        texts.add(new String(utf8, StandardCharsets.UTF_8));
      }
      return texts;
    }
  }
}
