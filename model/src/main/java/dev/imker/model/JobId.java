package dev.imker.model;

/** Identity of a job, unique in a pool and never reused. */
public record JobId(long value) implements Comparable<JobId> {
  @Override
  public int compareTo(JobId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
