package dev.imker.planner.pddl;

/** A PDDL text that cannot be understood; says where and what was expected. */
public final class PddlException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int line;
  private final int column;
  private final String problem;

  PddlException(int line, int column, String problem) {
    super("line " + line + ", column " + column + ": " + problem);
    this.line = line;
    this.column = column;
    this.problem = problem;
  }

  static PddlException at(Node node, String problem) {
    return new PddlException(node.line(), node.column(), problem);
  }

  static PddlException expected(String expectation, Node found) {
    return at(found, "expected " + expectation + " but found " + found.describe());
  }

  /** Line of the offending text, counted from 1. */
  public int line() {
    return line;
  }

  /** Column of the offending text, counted from 1. */
  public int column() {
    return column;
  }

  /** What is wrong, without the position. */
  public String problem() {
    return problem;
  }
}
