package dev.imker.model;

/** What a user typed or sent cannot be understood; the same input will fail again. */
public class InputException extends ImkerException {
  private static final long serialVersionUID = 1L;

  public InputException(String message) {
    super(message);
  }
}
