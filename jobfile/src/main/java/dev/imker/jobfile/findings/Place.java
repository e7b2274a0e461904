package dev.imker.jobfile.findings;

/** Where something stands in a file; both count from one. */
public record Place(int line, int column) {
  public static final Place START = new Place(1, 1);
}
