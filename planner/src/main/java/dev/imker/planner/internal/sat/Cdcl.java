package dev.imker.planner.internal.sat;

import dev.imker.planner.internal.basics.IntList;
import dev.imker.planner.internal.basics.Stopwatch;
import java.util.Arrays;

/**
 * A satisfiability solver that learns from conflicts (Marques-Silva and Sakallah 1996, Eén and
 * Sörensson 2003, Audemard and Simon 2009), made for formulas of planning graphs: clauses of two
 * literals, most of them there, are kept as plain lists of implied literals, and clauses may be
 * added between calls.
 *
 * <p>Inside, literal 2v is variable v and 2v + 1 its negation. The reason of an assigned literal is
 * a clause, or the one other literal of a binary clause, see {@link #binaryReason}.
 */
public final class Cdcl implements SatSolver {
  private static final int NO_REASON = -1;
  private static final byte TRUE = 1;
  private static final byte FALSE = -1;
  private static final double ACTIVITY_DECAY = 0.95;
  private static final int MIN_CONFLICTS_BETWEEN_RESTARTS = 30;
  private static final int FIRST_CLEANING = 2000;
  private static final int CLEANING_STEP = 300;
  private static final int ALWAYS_KEPT_LEVELS = 2;

  private final Stopwatch stopwatch;
  private final ClauseStore clauses = new ClauseStore();
  private final Watches watches = new Watches();
  private final Watches binaries = new Watches();
  private final VariableHeap order = new VariableHeap();
  private final Conflict conflict = new Conflict(this);
  private byte[] value = new byte[32];
  private boolean[] phase = new boolean[16];
  int[] level = new int[16];
  int[] reason = new int[16];
  int[] trail = new int[16];
  int trailSize;
  private int propagated;
  private final IntList levelStarts = new IntList();
  private int variables;
  private boolean contradiction;
  private boolean[] model = new boolean[0];
  private long conflicts;
  private long nextCleaning = FIRST_CLEANING;
  private int cleanings;
  private double recentLevels;
  private double averageLevels;
  int conflictClause;
  int conflictLiteral;

  public Cdcl(Stopwatch stopwatch) {
    this.stopwatch = stopwatch;
  }

  @Override
  public int newVariable() {
    int variable = variables++;
    if (variable == level.length) {
      int capacity = variable * 2;
      value = Arrays.copyOf(value, capacity * 2);
      phase = Arrays.copyOf(phase, capacity);
      level = Arrays.copyOf(level, capacity);
      reason = Arrays.copyOf(reason, capacity);
      trail = Arrays.copyOf(trail, capacity);
    }
    watches.ensure(variables * 2);
    binaries.ensure(variables * 2);
    order.addVariable();
    conflict.addVariable();
    return variables;
  }

  @Override
  public void addClause(int... literals) {
    stopwatch.check();
    cancelUntil(0);
    int[] kept = new int[literals.length];
    int length = 0;
    for (int external : literals) {
      int literal = external > 0 ? 2 * (external - 1) : 2 * (-external - 1) + 1;
      if (value[literal] == TRUE) {
        return;
      }
      if (value[literal] != FALSE) {
        kept[length++] = literal;
      }
    }
    switch (length) {
      case 0 -> contradiction = true;
      case 1 -> {
        assign(kept[0], NO_REASON);
        contradiction |= !propagate();
      }
      default -> attach(kept, length, ClauseStore.GIVEN);
    }
  }

  private int attach(int[] literals, int length, int mark) {
    if (length == 2) {
      binaries.addSingle(literals[0] ^ 1, literals[1]);
      binaries.addSingle(literals[1] ^ 1, literals[0]);
      return binaryReason(literals[1]);
    }
    int clause = clauses.add(literals, length, mark);
    watches.add(literals[0] ^ 1, clause, literals[1]);
    watches.add(literals[1] ^ 1, clause, literals[0]);
    return clause;
  }

  /** How a reason names the other, false, literal of a binary clause. */
  static int binaryReason(int literal) {
    return -2 - literal;
  }

  @Override
  public boolean isTrue(int variable) {
    return model[variable - 1];
  }

  @Override
  public boolean isSatisfiable(int... assumptions) {
    cancelUntil(0);
    if (contradiction) {
      return false;
    }
    int[] assumed =
        Arrays.stream(assumptions).map(x -> x > 0 ? 2 * (x - 1) : 2 * (-x - 1) + 1).toArray();
    long sinceRestart = 0;
    while (true) {
      stopwatch.check();
      if (!propagate()) {
        conflicts++;
        sinceRestart++;
        if (decisionLevel() == 0) {
          contradiction = true;
          return false;
        }
        learn();
        continue;
      }
      if (sinceRestart >= MIN_CONFLICTS_BETWEEN_RESTARTS && recentLevels * 0.8 > averageLevels) {
        sinceRestart = 0;
        recentLevels = averageLevels;
        cancelUntil(0);
        continue;
      }
      if (conflicts >= nextCleaning) {
        nextCleaning = conflicts + FIRST_CLEANING + (long) CLEANING_STEP * ++cleanings;
        cancelUntil(0);
        forgetHalf();
        continue;
      }
      if (decisionLevel() < assumed.length) {
        int next = assumed[decisionLevel()];
        if (value[next] == FALSE) {
          return false;
        }
        decide(next);
        continue;
      }
      int variable = pickVariable();
      if (variable < 0) {
        saveModel();
        return true;
      }
      decide(2 * variable + (phase[variable] ? 0 : 1));
    }
  }

  private void decide(int literal) {
    levelStarts.add(trailSize);
    if (value[literal] == 0) {
      assign(literal, NO_REASON);
    }
  }

  private int pickVariable() {
    while (!order.isEmpty()) {
      int variable = order.removeBest();
      if (value[2 * variable] == 0) {
        return variable;
      }
    }
    return -1;
  }

  private void saveModel() {
    model = new boolean[variables];
    for (int v = 0; v < variables; v++) {
      model[v] = value[2 * v] == TRUE;
    }
  }

  long conflictCount() {
    return conflicts;
  }

  int decisionLevel() {
    return levelStarts.size();
  }

  private void assign(int literal, int why) {
    int variable = literal >> 1;
    value[literal] = TRUE;
    value[literal ^ 1] = FALSE;
    level[variable] = decisionLevel();
    reason[variable] = why;
    trail[trailSize++] = literal;
  }

  private void cancelUntil(int targetLevel) {
    if (decisionLevel() <= targetLevel) {
      return;
    }
    int start = levelStarts.get(targetLevel);
    for (int i = trailSize - 1; i >= start; i--) {
      int literal = trail[i];
      phase[literal >> 1] = (literal & 1) == 0;
      value[literal] = 0;
      value[literal ^ 1] = 0;
      order.insert(literal >> 1);
    }
    trailSize = start;
    propagated = start;
    levelStarts.truncate(targetLevel);
  }

  /** Draws all conclusions; false if they contradict each other. */
  private boolean propagate() {
    while (propagated < trailSize) {
      int literal = trail[propagated++];
      if (!propagateBinaries(literal) || !propagateClauses(literal)) {
        propagated = trailSize;
        return false;
      }
    }
    return true;
  }

  private boolean propagateBinaries(int literal) {
    int[] implied = binaries.lists[literal];
    int size = binaries.sizes[literal];
    for (int i = 0; i < size; i++) {
      byte current = value[implied[i]];
      if (current == FALSE) {
        conflictClause = binaryReason(literal ^ 1);
        conflictLiteral = implied[i];
        return false;
      }
      if (current == 0) {
        assign(implied[i], binaryReason(literal ^ 1));
      }
    }
    return true;
  }

  private boolean propagateClauses(int literal) {
    int falseLiteral = literal ^ 1;
    int[] list = watches.lists[literal];
    int size = watches.sizes[literal];
    int kept = 0;
    int i = 0;
    boolean consistent = true;
    int[] memory = clauses.memory();
    while (i < size) {
      int clause = list[i];
      int blocker = list[i + 1];
      i += 2;
      if (value[blocker] == TRUE) {
        list[kept++] = clause;
        list[kept++] = blocker;
        continue;
      }
      int first = ClauseStore.firstLiteral(clause);
      if (memory[first] == falseLiteral) {
        memory[first] = memory[first + 1];
        memory[first + 1] = falseLiteral;
      }
      int other = memory[first];
      if (value[other] == TRUE || !rewatch(memory, clause, first, other)) {
        list[kept++] = clause;
        list[kept++] = other;
        if (value[other] == FALSE) {
          conflictClause = clause;
          consistent = false;
          break;
        }
        if (value[other] == 0) {
          assign(other, clause);
        }
      }
    }
    System.arraycopy(list, i, list, kept, size - i);
    watches.sizes[literal] = kept + size - i;
    return consistent;
  }

  /** Watches another literal that is not false, if there is one. */
  private boolean rewatch(int[] memory, int clause, int first, int other) {
    int end = first + memory[clause];
    for (int k = first + 2; k < end; k++) {
      if (value[memory[k]] != FALSE) {
        int literal = memory[k];
        memory[k] = memory[first + 1];
        memory[first + 1] = literal;
        watches.add(literal ^ 1, clause, other);
        return true;
      }
    }
    return false;
  }

  private void learn() {
    conflict.analyse(clauses, order);
    order.decay(ACTIVITY_DECAY);
    int levels = conflict.levelCount();
    recentLevels += (levels - recentLevels) / 32;
    averageLevels += (levels - averageLevels) / Math.min(conflicts, 4096);
    cancelUntil(conflict.backLevel());
    int[] learnt = conflict.learnt();
    int length = conflict.length();
    int why = length == 1 ? NO_REASON : attach(learnt, length, Math.max(1, levels));
    assign(learnt[0], why);
  }

  /** Deletes the half of the learnt clauses that connect the most levels. */
  private void forgetHalf() {
    IntList marks = new IntList();
    for (int c = clauses.first(); c < clauses.end(); c = clauses.next(c)) {
      if (!clauses.isDeleted(c) && clauses.mark(c) > ALWAYS_KEPT_LEVELS) {
        marks.add(clauses.mark(c));
      }
    }
    int[] sorted = marks.toArray();
    Arrays.sort(sorted);
    int limit = sorted.length == 0 ? Integer.MAX_VALUE : sorted[sorted.length / 2];
    int toDelete = sorted.length / 2;
    for (int c = clauses.first(); c < clauses.end() && toDelete > 0; c = clauses.next(c)) {
      if (!clauses.isDeleted(c)
          && clauses.mark(c) > ALWAYS_KEPT_LEVELS
          && clauses.mark(c) >= limit) {
        clauses.delete(c);
        toDelete--;
      }
    }
    for (int i = 0; i < trailSize; i++) {
      reason[trail[i] >> 1] = NO_REASON;
    }
    if (clauses.shouldCompact()) {
      clauses.compact();
    }
    watches.clearAll();
    int[] memory = clauses.memory();
    for (int c = clauses.first(); c < clauses.end(); c = clauses.next(c)) {
      if (!clauses.isDeleted(c)) {
        int first = ClauseStore.firstLiteral(c);
        watches.add(memory[first] ^ 1, c, memory[first + 1]);
        watches.add(memory[first + 1] ^ 1, c, memory[first]);
      }
    }
  }
}
