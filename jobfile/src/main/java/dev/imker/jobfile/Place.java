package dev.imker.jobfile;

/** Where something stands in a file; both count from one. */
record Place(int line, int column) {
  static final Place START = new Place(1, 1);
}
