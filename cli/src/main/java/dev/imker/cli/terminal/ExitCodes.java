package dev.imker.cli.terminal;

/** Exit codes of the command line; part of its stable interface. */
public final class ExitCodes {
  public static final int OK = 0;

  /** The work was done but not all of it succeeded. */
  public static final int FAILED = 1;

  /** The command line itself, or a file it names, is wrong. */
  public static final int USAGE = 2;

  /** No server is known, none answers, or none can because the database is away. */
  public static final int NO_SERVER = 3;

  /** The server refused: unknown id, missing right, invalid job. */
  public static final int REFUSED = 4;

  /** A wait took longer than its {@code --timeout}; the code of timeout(1). */
  public static final int TIMED_OUT = 124;

  private ExitCodes() {}
}
