package dev.imker.model;

/** A named family of jobs of one user. Fairness and run-time statistics are kept per project. */
public record ProjectId(String user, String name) {
  @Override
  public String toString() {
    return user + "/" + name;
  }
}
