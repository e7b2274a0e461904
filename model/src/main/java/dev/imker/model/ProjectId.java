package dev.imker.model;

/** A named group of jobs of one user. Fairness and run-time statistics apply per project. */
public record ProjectId(String user, String name) {
  @Override
  public String toString() {
    return user + "/" + name;
  }
}
