package dev.imker.client.plan;

import dev.imker.model.ImkerException;
import java.util.List;

/** The wanted facts cannot be reached from the known ones with the available actions. */
public final class NoPlanException extends ImkerException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> unreachable;
  private final transient List<String> missing;

  public NoPlanException(String message, List<String> unreachable, List<String> missing) {
    super(message);
    this.unreachable = List.copyOf(unreachable);
    this.missing = List.copyOf(missing);
  }

  /** The wanted facts that no sequence of actions can achieve; empty if unknown. */
  public List<String> unreachable() {
    return unreachable;
  }

  /** The missing facts behind them: no action produces them, and the job does not have them. */
  public List<String> missing() {
    return missing;
  }
}
