package dev.imker.core.internal.dispatch;

import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.message.DecisionView;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.strategy.Choice;
import dev.imker.core.strategy.Strategy;
import dev.imker.model.AgentId;
import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why tasks went where they went: all of the newest decisions, and for a day one of every three
 * seconds. Entries are written in place, so that a decision costs a few stores; figures of the
 * candidates are kept of so many decisions a second only.
 */
public final class DecisionLog {
  static final int MAX_RECENT = 8192;
  static final long KEPT_MILLIS = 24 * 60 * 60 * 1000L;
  static final long SPACING_MILLIS = 3000;
  private static final int MAX_OLDER = (int) (KEPT_MILLIS / SPACING_MILLIS);
  private static final int MAX_FIGURES_A_SECOND = 100;
  private static final int MAX_CONSIDERED = 4;

  /** What decided. */
  enum Way {
    CHOSEN("%s chose its project"),
    OVERDUE("its project had waited longest, which takes precedence over the strategy %s"),
    GPU("the machine had a free GPU, and %s chose its project among those that need one"),
    KEPT("the machine was reserved for it"),
    BESIDE(
        "it does not delay the task that the machine is reserved for, and %s chose its"
            + " project"),
    AHEAD(
        "its tasks are so short that the machine gets some in advance, and %s chose its"
            + " project"),
    COPY("no READY task was left for the machine, and %s gave it a copy of this one"),
    VOTE("no READY task was left for the machine, and this one needs equal results of several"),
    GANG("there was room for all tasks of its stage, which start together");

    private final String words;

    Way(String words) {
      this.words = words;
    }
  }

  private static final class Entry {
    long atMillis;
    @Nullable AgentId agent;
    @Nullable NodeId node;
    @Nullable JobId job;
    int task;
    int attempt;
    Way way = Way.CHOSEN;
    String strategy = "";
    String wording = "";
    int candidates;
    int fitting;
    int idleNodes;
    float reputation;
    float uptimeMinutes;
    int considered;
    ProjectId[] projects = {};
    double[] figures = {};

    boolean is(TaskId id) {
      return task == id.index() && id.job().equals(job);
    }
  }

  private Entry[] recent = {};
  private Entry[] older = {};
  private long written;
  private long moved;
  private long newestOlderMillis = Long.MIN_VALUE;
  private long second;
  private int figuresLeft;
  private Entry open = new Entry();

  /** Notes how the pool stands before a task is given to an agent. */
  void begin(long nowMillis, Way way, String strategy, AgentSlots agent, int idleNodes) {
    Entry entry = next();
    entry.atMillis = nowMillis;
    entry.way = way;
    entry.strategy = strategy;
    entry.agent = agent.id();
    NodeProfile node = agent.profile();
    entry.node = node.node();
    entry.reputation = (float) node.reputation();
    entry.uptimeMinutes = (float) node.currentUptimeMinutes(nowMillis);
    entry.idleNodes = idleNodes;
    entry.candidates = 0;
    entry.fitting = 0;
    entry.considered = 0;
    open = entry;
  }

  /** Notes the candidates of the decision that was begun. */
  void candidates(Strategy strategy, Choice choice, int chosen) {
    open.candidates = choice.candidates();
    open.fitting = choice.fitting();
    if (second != choice.nowMillis() / 1000) {
      second = choice.nowMillis() / 1000;
      figuresLeft = MAX_FIGURES_A_SECOND;
    }
    if (figuresLeft > 0) {
      figuresLeft--;
      if (open.figures.length == 0) {
        open.figures = new double[MAX_CONSIDERED * Strategy.FIGURES];
        open.projects = new ProjectId[MAX_CONSIDERED];
      }
      open.wording = strategy.wording();
      consider(strategy, choice, chosen);
      for (int i = 0; i < choice.candidates() && open.considered < MAX_CONSIDERED; i++) {
        if (i != chosen) {
          consider(strategy, choice, i);
        }
      }
    }
  }

  private void consider(Strategy strategy, Choice choice, int position) {
    open.projects[open.considered] = choice.candidate(position).project();
    strategy.figures(choice, position, open.figures, open.considered * Strategy.FIGURES);
    open.considered++;
  }

  /** Completes the decision that was begun. */
  void made(JobId job, int task, int attempt) {
    open.job = job;
    open.task = task;
    open.attempt = attempt;
    written++;
  }

  private Entry next() {
    int at = (int) (written % MAX_RECENT);
    if (at >= recent.length) {
      recent = Arrays.copyOf(recent, Math.clamp(2L * at, 64, MAX_RECENT));
    }
    Entry last = recent[at];
    if (last == null) {
      recent[at] = new Entry();
    } else if (written >= MAX_RECENT && last.atMillis >= newestOlderMillis + SPACING_MILLIS) {
      newestOlderMillis = last.atMillis;
      recent[at] = keep(last);
    }
    return recent[at];
  }

  /** Keeps an entry for the day; returns one that is no longer needed. */
  private Entry keep(Entry entry) {
    int at = (int) (moved++ % MAX_OLDER);
    if (at >= older.length) {
      older = Arrays.copyOf(older, Math.clamp(2L * at, 64, MAX_OLDER));
    }
    Entry before = older[at];
    older[at] = entry;
    return before == null ? new Entry() : before;
  }

  /** The kept decisions on a task, oldest first. */
  public List<DecisionView> of(TaskId task, long nowMillis) {
    return all(nowMillis, entry -> entry.is(task)).map(DecisionLog::view).toList();
  }

  /** The kept decision on another task of a job that went to a node at about that time. */
  public @Nullable DecisionView near(JobId job, NodeId node, long atMillis, long nowMillis) {
    return all(nowMillis, entry -> job.equals(entry.job) && node.equals(entry.node))
        .min(
            (a, b) ->
                Long.compare(Math.abs(a.atMillis - atMillis), Math.abs(b.atMillis - atMillis)))
        .map(DecisionLog::view)
        .orElse(null);
  }

  private Stream<Entry> all(long nowMillis, Predicate<Entry> which) {
    return Stream.of(older, recent)
        .flatMap(Arrays::stream)
        .filter(
            entry ->
                entry != null
                    && entry.job != null
                    && entry.atMillis > nowMillis - KEPT_MILLIS
                    && which.test(entry))
        .sorted((a, b) -> Long.compare(a.atMillis, b.atMillis));
  }

  private static DecisionView view(Entry entry) {
    List<DecisionView.Considered> considered = new ArrayList<>();
    for (int i = 0; i < entry.considered; i++) {
      Object[] figures =
          Arrays.stream(entry.figures, i * Strategy.FIGURES, (i + 1) * Strategy.FIGURES)
              .boxed()
              .toArray();
      considered.add(
          new DecisionView.Considered(
              entry.projects[i], String.format(Locale.ROOT, entry.wording, figures)));
    }
    return new DecisionView(
        entry.atMillis,
        new TaskId(Objects.requireNonNull(entry.job), entry.task),
        entry.attempt,
        Objects.requireNonNull(entry.agent),
        entry.way.words.formatted(entry.strategy),
        entry.strategy,
        entry.candidates,
        entry.fitting,
        entry.idleNodes,
        entry.reputation,
        entry.uptimeMinutes,
        considered);
  }
}
