package dev.imker.core.strategy;

import dev.imker.model.ImkerException;

/** A strategy was asked for that does not exist, or with parameters it does not have. */
public final class StrategyException extends ImkerException {
  private static final long serialVersionUID = 1;

  public StrategyException(String message) {
    super(message);
  }
}
