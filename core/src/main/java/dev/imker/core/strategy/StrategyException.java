package dev.imker.core.strategy;

import dev.imker.model.ImkerException;
import dev.imker.model.text.NearNames;
import java.util.Collection;

/** A requested strategy does not exist or does not have these parameters. */
public final class StrategyException extends ImkerException {
  private static final long serialVersionUID = 1;

  public StrategyException(String message) {
    super(message);
  }

  /** Text such as {@code " (did you mean 'balanced'?)"}; empty if nothing is near. */
  public static String suggestion(String wrong, Collection<String> known) {
    return NearNames.nearest(wrong, known)
        .map(near -> " (did you mean '" + near + "'?)")
        .orElse("");
  }
}
