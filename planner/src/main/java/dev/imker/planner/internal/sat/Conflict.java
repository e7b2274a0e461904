package dev.imker.planner.internal.sat;

import dev.imker.planner.internal.basics.IntList;
import java.util.Arrays;

/** Turns a conflict into a clause that would have prevented it, by the first unique implication. */
final class Conflict {
  private final Cdcl solver;
  private final IntList clause = new IntList();
  private final IntList touched = new IntList();
  private final IntList stack = new IntList();
  private boolean[] seen = new boolean[16];
  private int[] levelStamp = new int[32];
  private int stamp;
  private int variables;
  private int[] learnt = new int[0];
  private int length;
  private int backLevel;
  private int levelCount;
  private int open;

  Conflict(Cdcl solver) {
    this.solver = solver;
  }

  void addVariable() {
    if (++variables >= seen.length) {
      seen = Arrays.copyOf(seen, seen.length * 2);
      levelStamp = Arrays.copyOf(levelStamp, seen.length * 2);
    }
  }

  /** The learnt literals; the first becomes true, the second is of the level to go back to. */
  int[] learnt() {
    return learnt;
  }

  int length() {
    return length;
  }

  int backLevel() {
    return backLevel;
  }

  /** How many decision levels the learnt clause connects. */
  int levelCount() {
    return levelCount;
  }

  void analyse(ClauseStore clauses, VariableHeap order) {
    clause.clear();
    clause.add(0);
    touched.clear();
    open = 0;
    int index = solver.trailSize - 1;
    int why = solver.conflictClause;
    int literal = -1;
    if (why < 0) {
      resolveLiteral(solver.conflictLiteral, order);
    }
    do {
      if (why < 0) {
        resolveLiteral(-2 - why, order);
      } else {
        resolveClause(why, literal, clauses, order);
      }
      while (!seen[solver.trail[index] >> 1]) {
        index--;
      }
      literal = solver.trail[index--];
      why = solver.reason[literal >> 1];
      seen[literal >> 1] = false;
      open--;
    } while (open > 0);
    int[] literals = clause.toArray();
    literals[0] = literal ^ 1;
    finish(literals, clauses);
    for (int i = 0; i < touched.size(); i++) {
      seen[touched.get(i)] = false;
    }
  }

  private void resolveClause(int why, int implied, ClauseStore clauses, VariableHeap order) {
    int[] memory = clauses.memory();
    int first = ClauseStore.firstLiteral(why);
    int end = first + memory[why];
    for (int k = first; k < end; k++) {
      if (memory[k] != implied) {
        resolveLiteral(memory[k], order);
      }
    }
  }

  private void resolveLiteral(int literal, VariableHeap order) {
    int variable = literal >> 1;
    if (!seen[variable] && solver.level[variable] > 0) {
      seen[variable] = true;
      touched.add(variable);
      order.bump(variable);
      if (solver.level[variable] >= solver.decisionLevel()) {
        open++;
      } else {
        clause.add(literal);
      }
    }
  }

  private void finish(int[] literals, ClauseStore clauses) {
    int kept = 1;
    for (int i = 1; i < literals.length; i++) {
      if (!isImplied(literals[i], clauses)) {
        literals[kept++] = literals[i];
      }
    }
    learnt = literals;
    length = kept;
    backLevel = 0;
    stamp++;
    levelCount = 1;
    for (int i = 1; i < kept; i++) {
      int level = solver.level[literals[i] >> 1];
      if (levelStamp[level] != stamp) {
        levelStamp[level] = stamp;
        levelCount++;
      }
      if (level > backLevel) {
        backLevel = level;
        int best = literals[i];
        literals[i] = literals[1];
        literals[1] = best;
      }
    }
  }

  /** Whether the other literals of the learnt clause imply this one, so that it can be left out. */
  private boolean isImplied(int literal, ClauseStore clauses) {
    if (solver.reason[literal >> 1] == -1) {
      return false;
    }
    int mark = touched.size();
    stack.clear();
    stack.add(literal);
    while (stack.size() > 0) {
      int next = stack.get(stack.size() - 1);
      stack.truncate(stack.size() - 1);
      int why = solver.reason[next >> 1];
      boolean explained = true;
      if (why < -1) {
        explained = push(-2 - why);
      } else {
        int first = ClauseStore.firstLiteral(why);
        int end = first + clauses.length(why);
        int[] memory = clauses.memory();
        for (int k = first; k < end && explained; k++) {
          explained = memory[k] >> 1 == next >> 1 || push(memory[k]);
        }
      }
      if (!explained) {
        for (int i = mark; i < touched.size(); i++) {
          seen[touched.get(i)] = false;
        }
        touched.truncate(mark);
        return false;
      }
    }
    return true;
  }

  /** False if the literal was decided, so that nothing implies it. */
  private boolean push(int literal) {
    int variable = literal >> 1;
    if (seen[variable] || solver.level[variable] == 0) {
      return true;
    }
    if (solver.reason[variable] == -1) {
      return false;
    }
    seen[variable] = true;
    touched.add(variable);
    stack.add(literal);
    return true;
  }
}
