package dev.imker.client.plan;

import dev.imker.model.ImkerException;
import java.util.List;

/** What is wanted cannot be reached from what is known with the actions there are. */
public final class NoPlanException extends ImkerException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> unreachable;
  private final transient List<String> missing;

  public NoPlanException(String message, List<String> unreachable, List<String> missing) {
    super(message);
    this.unreachable = List.copyOf(unreachable);
    this.missing = List.copyOf(missing);
  }

  /** What is wanted and no order of the actions could bring about; empty if that is not known. */
  public List<String> unreachable() {
    return unreachable;
  }

  /** What these lack in the end: no action makes it, and the job does not have it. */
  public List<String> missing() {
    return missing;
  }
}
