package dev.imker.jobfile.findings;

/** A position in a file; both numbers start at one. */
public record Place(int line, int column) {
  public static final Place START = new Place(1, 1);
}
