package dev.imker.chaos.cluster;

/** The run itself cannot go on; says nothing about the pool. */
public final class ChaosException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ChaosException(String message) {
    super(message);
  }

  public ChaosException(String message, Throwable cause) {
    super(message, cause);
  }
}
