package dev.imker.server.loop;

import dev.imker.model.ImkerException;

/** Another server leads the pool, so this one changes nothing. */
public final class NotLeadingException extends ImkerException {
  private static final long serialVersionUID = 1L;

  public NotLeadingException() {
    super("Another server leads the pool; nothing was changed. Try again, there or here.");
  }
}
